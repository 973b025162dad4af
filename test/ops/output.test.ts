import { describe, expect, it } from 'vitest';
import { render } from '#ops/output.ts';

describe('the output of a command', () => {
  it('is a table of records', () => {
    const rows = [
      { id: 1, login: 'admin', role: 'administrator' },
      { id: 12, login: 'ada', role: 'editor' },
    ];
    expect(render(rows, false)).toBe(['id  login  role', '1   admin  administrator', '12  ada    editor'].join('\n'));
  });

  it('names columns in words, and shows lists and times as people write them', () => {
    const row = { lastUsed: '2026-03-01T12:00:00.123Z', roles: ['editor', 'author'], findings: [] };
    expect(render([row], false)).toBe(
      ['last used             roles           findings', '2026-03-01 12:00:00Z  editor, author  none'].join('\n'),
    );
    expect(render({ leaptSeconds: 3 }, false)).toBe('leapt seconds  3');
  });

  it('tells that a list is empty', () => {
    expect(render([], false)).toBe('none');
    expect(render([], true)).toBe('[]');
  });

  it('is one line of JSON, also for multi-line texts', () => {
    expect(render({ name: 'a\nb' }, true)).toBe('{"name":"a\\nb"}');
    expect(render(undefined, true)).toBe('null');
  });

  it('contains no terminal control characters from names', () => {
    expect(render({ name: '\u001b[2Jgone\u202e' }, false)).toBe('name   [2Jgone');
  });
});
