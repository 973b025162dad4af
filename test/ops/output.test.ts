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
