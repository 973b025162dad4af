import { describe, expect, it } from 'vitest';
import { render } from '#ops/output.ts';

describe('what a verb prints', () => {
  it('is a table of records', () => {
    const rows = [
      { id: 1, login: 'admin', role: 'administrator' },
      { id: 12, login: 'ada', role: 'editor' },
    ];
    expect(render(rows, false)).toBe(['id  login  role', '1   admin  administrator', '12  ada    editor'].join('\n'));
  });

  it('says that a list is empty', () => {
    expect(render([], false)).toBe('none');
    expect(render([], true)).toBe('[]');
  });

  it('is one line of JSON, also for texts of several lines', () => {
    expect(render({ name: 'a\nb' }, true)).toBe('{"name":"a\\nb"}');
    expect(render(undefined, true)).toBe('null');
  });

  it('cannot steer the terminal by the names that people chose', () => {
    expect(render({ name: '\u001b[2Jgone\u202e' }, false)).toBe('name   [2Jgone');
  });
});
