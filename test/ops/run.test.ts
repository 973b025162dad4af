import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { refuse } from '#domain/kernel/refusal.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import type { Outcome } from '#ops/outcome.ts';
import { performOn } from '#ops/perform.ts';
import { run } from '#ops/run.ts';
import { usageOf } from '#ops/usage.ts';
import { defineVerb, type VerbStore } from '#ops/verb.ts';
import { verbs } from '#ops/verbs.ts';

const greet = defineVerb({
  name: 'page greet',
  summary: 'Greets.',
  example: 'page greet ada --tone loud',
  positionals: ['login'],
  args: z.object({
    login: z.string().describe('who'),
    tone: z.enum(['loud', 'soft']).describe('how'),
    reason: z.string().optional(),
    twice: z.boolean().optional(),
  }),
  run: async (_store, args) => args,
});
const fail = (name: string, error: unknown) =>
  defineVerb({
    name,
    summary: '',
    example: name,
    args: z.object({}),
    run: async () => {
      throw error;
    },
  });
const decline = defineVerb({
  name: 'decline',
  summary: '',
  example: 'decline',
  args: z.object({}),
  run: async () => refuse('not_today', 'Not today.'),
});
const table = [greet, decline, fail('full', new LogUnavailable('disk full')), fail('break', new TypeError('oops'))];

/** No command here uses the store. */
const store = {} as VerbStore;

async function call(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const faults: unknown[] = [];
  const reach = performOn(store, table, (error) => faults.push(error));
  const status = await run(argv, { verbs: table, reach, out: (t) => out.push(t), err: (t) => err.push(t) });
  return { status, out: out.join('\n'), err: err.join('\n'), faults };
}

describe('the command line', () => {
  it('exits with 0 and prints the result as a table', async () => {
    expect(await call('page', 'greet', 'ada', '--tone', 'loud')).toMatchObject({
      status: 0,
      out: 'login  ada\ntone   loud',
      err: '',
    });
  });

  it('prints one line of JSON when asked', async () => {
    const { out } = await call('page', 'greet', 'ada', '--json', '--tone=soft', '--reason', 'a\nb');
    expect(out).toBe('{"login":"ada","tone":"soft","reason":"a\\nb"}');
  });

  it('accepts flags only without a value', async () => {
    const { out } = await call('page', 'greet', 'ada', '--twice', '--tone', 'soft', '--json');
    expect(JSON.parse(out)).toEqual({ login: 'ada', tone: 'soft', twice: true });
    expect((await call('page', 'greet', 'ada', '--tone', 'soft', '--twice=yes')).status).toBe(2);
  });

  it('exits with 1 and prints the code on a refusal', async () => {
    expect(await call('decline')).toMatchObject({ status: 1, out: '', err: 'Not today. (not_today)' });
  });

  it.each([
    [['nothing']],
    [['page']],
    [['page', 'greet']],
    [['page', 'greet', 'ada']],
    [['page', 'greet', 'ada', 'grace', '--tone', 'loud']],
    [['page', 'greet', 'ada', '--tone', 'shrill']],
    [['page', 'greet', 'ada', '--tone']],
    [['page', 'greet', 'ada', '--tone', 'loud', '--volume', '9']],
  ])('exits with 2 on wrong usage: %j', async (argv) => {
    const { status, out, err } = await call(...argv);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).not.toBe('');
  });

  it('names the invalid argument', async () => {
    expect((await call('page', 'greet', 'ada', '--tone', 'shrill')).err).toBe(
      `page greet: --tone has to be one of loud, soft\nusage: ${usageOf(greet)}`,
    );
  });

  it('exits with 3 when the log accepts no writes', async () => {
    expect(await call('full')).toMatchObject({ status: 3, err: 'disk full', faults: [] });
  });

  it('exits with 3 on an exception, whose message is not printed but reported', async () => {
    const { status, err, faults } = await call('break');
    expect(status).toBe(3);
    expect(err).not.toContain('oops');
    expect(faults).toEqual([new TypeError('oops')]);
  });

  it.each([[[]], [['--help']], [['-h']]])('prints its help: %j', async (argv) => {
    const { status, out } = await call(...argv);
    expect(status).toBe(0);
    expect(out).toMatch(/^page greet +\S/m);
    expect(out).toContain('<command> --help');
    expect(out).toContain('Exit status');
  });

  it('prints the help of a command with an example', async () => {
    const { status, out } = await call('page', 'greet', '--help');
    expect(status).toBe(0);
    expect(out).toContain('page greet <login> --tone <loud|soft> [--reason <"why">] [--twice]');
    expect(out).toContain('example: npm run cli -- page greet ada --tone loud');
  });
});

describe('help', () => {
  const help = async (...argv: readonly string[]) => {
    const said = { out: '', err: '' };
    const add = (kind: 'out' | 'err') => (text: string) => {
      said[kind] += text;
    };
    const reach = async () => expect.unreachable('nothing is carried out');
    const status = await run(argv, { verbs, reach, out: add('out'), err: add('err') });
    return { status, ...said };
  };
  const groups = [...new Set(verbs.flatMap(({ name }) => (name.includes(' ') ? (name.split(' ')[0] ?? '') : [])))];

  it.each([...verbs.map(({ name }) => name), ...groups, 'start', 'help', 'completion', '--version'])(
    'explains %s, asked for in either way',
    async (name) => {
      const [asked, beside] = [await help('help', ...name.split(' ')), await help(...name.split(' '), '--help')];
      expect(beside).toEqual(asked);
      expect({ status: asked.status, err: asked.err }).toEqual({ status: 0, err: '' });
      for (const verb of verbs) if (verb.name.startsWith(`${name} `)) expect(asked.out).toContain(verb.name);
    },
  );

  it('on a group lists nothing but its commands', async () => {
    expect((await help('user', '--help')).out).not.toContain('backup');
  });

  it('on all lists every command, in sections', async () => {
    const { out } = await help('--help');
    for (const { name } of verbs) expect(out).toMatch(new RegExp(`^${name} +\\S`, 'm'));
    expect(out.indexOf('\nstart ')).toBeLessThan(out.indexOf('\nuser add '));
  });

  it.each([...verbs.map(({ name }) => name), 'start', 'help', 'completion', '--version', 'user'])(
    'is no way around an unknown option: %s',
    async (name) => {
      const words = name.split(' ');
      for (const argv of [
        [...words, '--frobnicate'],
        ['help', ...words, '--frobnicate'],
        [...words, '--help', '--frob'],
      ]) {
        const { status, out, err } = await help(...argv);
        expect({ argv, status, out }).toEqual({ argv, status: 2, out: '' });
        expect(err).not.toBe('');
      }
    },
  );

  it('says what is missing, and how the command is used', async () => {
    expect((await help('replay')).err).toMatch(/^replay: --at is missing\nusage: replay --at <position\|time>/);
    expect((await help('nothing', '--help')).status).toBe(2);
    expect((await help('user', 'role', 'ada')).err).toMatch(
      /^user role: <role> is missing\nusage: user role <login> </,
    );
    expect((await help('status', 'now')).err).toMatch(/^status: "now" is one argument too many\nusage: status$/);
  });
});

describe('an unknown command', () => {
  it.each([
    ['statsu', 'is "status" meant?'],
    ['verfy', 'is "verify" meant?'],
    ['user ad', 'there are user add,'],
    ['frobnicate', 'there are start, '],
  ])('%s is told what there is', async (typed, hint) => {
    const said: string[] = [];
    const reach = async () => expect.unreachable('nothing is carried out');
    const status = await run(typed.split(' '), { verbs, reach, out: () => {}, err: (text) => said.push(text) });
    expect({ status, said }).toEqual({ status: 2, said: [expect.stringContaining(hint)] });
  });
});

describe('the commands', () => {
  it('take a reason where they write, and only there', () => {
    const taking = verbs.filter((verb) => usageOf(verb).includes('--reason')).map(({ name }) => name);
    expect(taking).toEqual(expect.arrayContaining(['user add', 'erase entry', 'clock accept']));
    for (const name of ['user list', 'audit', 'verify', 'demo', 'status']) expect(taking).not.toContain(name);
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))('%s has a valid call as its example', async (_, verb) => {
    const words = [...verb.example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const calls: unknown[] = [];
    const reach = async (name: string, args: unknown): Promise<Outcome> => {
      expect(verb.args.strict().parse(args)).toEqual(args);
      calls.push(name);
      return { kind: 'done', value: null };
    };
    const status = await run(words, { verbs, reach, out: () => {}, err: (text) => expect.unreachable(text) });
    expect({ status, calls }).toEqual({ status: 0, calls: [verb.name] });
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))('%s describes each argument', (_, verb) => {
    for (const schema of Object.values(verb.args.shape)) expect(schema.description).toBeTruthy();
    expect(usageOf(verb).startsWith(verb.name)).toBe(true);
  });
});
