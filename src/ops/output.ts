type Row = Readonly<Record<string, unknown>>;

/** Formats the value of a verb: one line of JSON, a table of records, or a record line by line. */
export function renderTable(value: unknown, json: boolean): string {
  if (json) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return table(value as Row[]);
  if (typeof value === 'object' && value !== null) {
    return tableColumns(Object.entries(value).map(([key, member]) => [inWords(key), cell(member)])).join('\n');
  }
  return cell(value);
}

export function tableColumns(rows: readonly (readonly string[])[]): string[] {
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
  return tableColumns([names.map(inWords), ...rows.map((row) => names.map((name) => cell(row[name])))]).join('\n');
}

/** A point in time to the second. */
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ') || 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `leaptSeconds` as people write it. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

// Names are user input: control characters in them could manipulate the terminal.
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = textOf(value).replace(TIME, '$1 $2Z');
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ');
}
