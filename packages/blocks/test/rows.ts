import { expect, it } from 'vitest';

/** One case of a table: an input and its expected output. */
export interface Row {
  readonly name: string;
  readonly input: string;
  readonly output: string;
}

/** One test per row. */
export function testRows(rows: readonly Row[], act: (input: string) => string): void {
  it.each(rows)('$name', ({ input, output }) => {
    expect(act(input)).toBe(output);
  });
}

/** Rows for texts that stay as they are. */
export function unchanged(inputs: Readonly<Record<string, string>>): Row[] {
  return Object.entries(inputs).map(([name, input]) => ({ name, input, output: input }));
}
