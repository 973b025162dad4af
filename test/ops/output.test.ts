import { describe, expect, it } from 'vitest';
import { renderTable } from '#ops/output.ts';

describe('the output of a command', () => {
  it('is a table of records', () => {
    const rows = [
      { id: 1, login: 'admin', role: 'administrator' },
      { id: 12, login: 'ada', role: 'editor' },
    ];
    expect(renderTable(rows, false)).toBe(
      ['id  login  role', '1   admin  administrator', '12  ada    editor'].join('\n'),
    );
  });

  it('names columns in words, and shows lists and times as people write them', () => {
    const row = { lastUsed: '2026-03-01T12:00:00.123Z', roles: ['editor', 'author'], findings: [] };
    expect(renderTable([row], false)).toBe(
      ['last used             roles           findings', '2026-03-01 12:00:00Z  editor, author  none'].join('\n'),
    );
    expect(renderTable({ leaptSeconds: 3 }, false)).toBe('leapt seconds  3');
  });

  it('tells that a list is empty', () => {
    expect(renderTable([], false)).toBe('none');
    expect(renderTable([], true)).toBe('[]');
  });

  it('is one line of JSON, also for multi-line texts', () => {
    expect(renderTable({ name: 'a\nb' }, true)).toBe('{"name":"a\\nb"}');
    expect(renderTable(undefined, true)).toBe('null');
  });

  it('contains no terminal control characters from names', () => {
    expect(renderTable({ name: '\u001b[2Jgone\u202e' }, false)).toBe('name   [2Jgone');
  });
});
