/** One line of a table in CSV (RFC 4180), with its end. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

// Spreadsheets take texts that begin so for formulas, and these texts are anybody's.
function csvCell(value: string | number | boolean | null): string {
  const text = typeof value === 'string' ? value.replace(/^(?=[=+\-@\t\r])/, "'") : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
