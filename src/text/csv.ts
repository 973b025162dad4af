/** One line of CSV (RFC 4180), with its line end. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

// Spreadsheets interpret texts with such beginnings as formulas, and these texts are untrusted.
function csvCell(value: string | number | boolean | null): string {
  const text = typeof value === 'string' ? value.replace(/^(?=[=+\-@\t\r])/, "'") : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
