type Row = Readonly<Record<string, unknown>>;

/** Formats the value of a verb: one line of JSON, a table of records, or a record line by line. */
export function render(value: unknown, json: boolean): string {
  if (json) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return table(value as Row[]);
  if (typeof value === 'object' && value !== null) {
    return columns(Object.entries(value).map(([key, member]) => [key, cell(member)])).join('\n');
  }
  return cell(value);
}

export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((max, row) => row.map((text, i) => Math.max(max[i] ?? 0, text.length)), []);
  return rows.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return 'none';
  const names = Object.keys(first);
  return columns([names, ...rows.map((row) => names.map((name) => cell(row[name])))]).join('\n');
}

// Names are user input: control characters in them could manipulate the terminal.
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ');
}
