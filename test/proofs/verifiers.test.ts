import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkProof } from '#proofs/bundle.ts';
import { BadProof } from '#proofs/opened.ts';
import { isSignedBy } from '#tlog/note.ts';
import { BadPolicy, parsePolicy, type TrustPolicy } from '#tlog/policy.ts';
import { continuations, inclusions, wanted } from '../../packages/tlog/test/merkle-vectors.ts';
import { chromiumPath } from '../support/browser.ts';
import { askPython, pythonPath } from '../support/python.ts';
import { type Case, cases, edges } from './verifier-cases.ts';

/** `malformed`: the policy. Otherwise with the number of witnesses and organisations, and who is not checked. */
type Verdict = 'malformed' | 'refused' | `accepted ${number} ${number} ${string}`;

const folder = join(import.meta.dirname, '../../verifiers');
const [corpus, program] = [join(import.meta.dirname, 'bundles'), join(folder, 'verify_proof.py')];

function verdictHere({ file, policy: text }: Case): Verdict {
  let parsed: TrustPolicy;
  try {
    parsed = parsePolicy(text);
  } catch (error) {
    if (error instanceof BadPolicy) return 'malformed';
    throw error;
  }
  try {
    const { cosigned, organisations, unchecked } = checkProof(file, parsed);
    return `accepted ${cosigned.length} ${organisations.length} ${unchecked}`;
  } catch (error) {
    if (error instanceof BadProof) return 'refused';
    throw error;
  }
}

const inPython = `
import base64, functools, json, re, sys
sys.path.insert(0, sys.argv[1])
import verify_proof
verify_proof.ed25519 = functools.cache(verify_proof.ed25519)  # most cases have the same signatures
def verdict(file, policy):
    try: trusted = verify_proof.policy(policy)
    except ValueError: return 'malformed'
    try: lines = '\\n'.join(verify_proof.check(file, *trusted))
    except (ValueError, RecursionError): return 'refused'
    counts = re.search('^Witnesses: (.*)[.] Organisations: (.*)[.]$', lines, re.M)
    return ' '.join(['accepted', counts[1], counts[2], ','.join(re.findall('^Not checked: a signature of (.*)[.]$', lines, re.M))])
print(json.dumps([verdict(*map(base64.b64decode, one)) for one in json.load(sys.stdin)]))`;

// Of the page.
declare class Refused extends Error {}
declare function policyIn(file: Uint8Array): Promise<object>;
declare function check(
  file: Uint8Array,
  policy: object,
): Promise<Record<'cosigned' | 'organisations' | 'unchecked', readonly string[]>>;
declare function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>;

function inPage(page: Page, all: readonly (readonly [string, string])[]): Promise<string[]> {
  return page.evaluate(async (asked) => {
    const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const verdict = async (file: Uint8Array, text: Uint8Array) => {
      try {
        const parsed = await policyIn(text).catch((error) => {
          throw error instanceof Refused ? 'malformed' : error;
        });
        const { cosigned, organisations, unchecked } = await check(file, parsed);
        return `accepted ${cosigned.length} ${organisations.length} ${unchecked}`;
      } catch (error) {
        return error instanceof Refused ? 'refused' : String(error);
      }
    };
    const verdicts: string[] = [];
    for (const [file, text] of asked) verdicts.push(await verdict(bytes(file), bytes(text)));
    return verdicts;
  }, all);
}

describe('the verifiers', () => {
  let browser: Browser | undefined;
  let page: Page | undefined;

  beforeAll(async () => {
    if (chromiumPath === undefined) return;
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, 'proof.html')).href);
  });
  afterAll(() => browser?.close());

  it('agree on every file and policy: TypeScript, Python and the page, as far as they can run here', async () => {
    const all = [...cases()];
    const asked = all.map(({ file, policy: text }) => [base64(file), base64(text)] as const);
    const python: string[] | null = pythonPath === undefined ? null : askPython(inPython, asked, [folder]);
    const pages = page === undefined ? null : await inPage(page, asked);
    const verdicts = all.map(verdictHere);
    const differing = all.flatMap(({ name }, i) => {
      const row = { name, here: verdicts[i], python: (python ?? verdicts)[i], page: (pages ?? verdicts)[i] };
      return row.python === row.here && row.page === row.here ? [] : [row];
    });
    expect(differing).toEqual([]);
    const kinds = Object.values(Object.groupBy(verdicts, (verdict) => verdict.split(' ')[0] ?? ''));
    expect(kinds.map((some) => (some?.length ?? 0) > 20)).toEqual([true, true, true]);
  });

  it('agree on signatures at the edges of Ed25519', async () => {
    const all = edges();
    const here = all.map(([publicKey, message, signature]) => isSignedBy({ publicKey }, message, signature));
    const script = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_proof
print(json.dumps([verify_proof.ed25519(*map(bytes.fromhex, one)) for one in json.load(sys.stdin)]))`;
    const asked = all.map((one) => one.map((bytes) => Buffer.from(bytes).toString('hex')));
    if (pythonPath !== undefined) expect(askPython(script, asked, [folder])).toEqual(here);
    const found = page?.evaluate(async (every) => {
      const bytes = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
      const held: boolean[] = [];
      for (const [key = '', message = '', signature = ''] of every) {
        held.push(await isSigned(bytes(key), bytes(message), bytes(signature)));
      }
      return held;
    }, asked);
    expect((await found) ?? here).toEqual(here);
    expect(here.filter((holds) => holds)).toHaveLength(2);
  });
});

describe('the verifier in Python', () => {
  const source = readFileSync(program, 'utf8');

  it('has at most 180 lines, and imports the standard library alone', () => {
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(180);
    expect(source.match(/^.*\bimport .*$/gm)).toEqual(['import base64, hashlib, itertools, json, re, sys, time']);
  });

  it.skipIf(pythonPath === undefined)('takes the vectors of transparency-dev/merkle as it should', () => {
    const script = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_proof
unhex = bytes.fromhex
def attempt(call, *args):
    try: return call(*args)
    except ValueError: return False
def included(v):
    return attempt(verify_proof.includes, unhex(v['leaf']), int(v['index']), v['size'], unhex(v['root']), list(map(unhex, v['proof'])))
def continued(v):
    return attempt(verify_proof.continues, v['from'], unhex(v['before']), v['to'], unhex(v['after']), list(map(unhex, v['proof'])))
one, two = json.load(sys.stdin)
print(json.dumps([*map(included, one), *map(continued, two)]))`;
    const asked = [[...inclusions()], [...continuations()]];
    const held: boolean[] = askPython(script, asked, [folder]);
    expect(held.map((holds, i) => ({ name: wanted[i]?.name, holds }))).toEqual(wanted);
  });

  it.skipIf(pythonPath === undefined)('says what a file shows, and exits with 0, 1 or 2', () => {
    const run = (...args: string[]) => {
      const { status, stdout } = spawnSync(pythonPath ?? '', ['-B', program, ...args], { encoding: 'utf8' });
      return { status, stdout };
    };
    const [rules, path] = [join(corpus, 'policy.txt'), join(corpus, 'true/item.proof.json')];
    const { status, stdout } = run(rules, path, join(corpus, 'forged/proof-empty.proof.json'));
    expect(status).toBe(1);
    expect(stdout).toContain(`${path}: accepted
The log cms.example.org has signed its first 14 events.
Witness one has cosigned on Fri Jan 15 08:00:00 2027 UTC.
Witness two has cosigned on Fri Jan 15 08:00:00 2027 UTC.
Witnesses: 2. Organisations: 2.
Event 3 is number 1 of entry-12: EntryCreated, recorded on 2026-03-01T02:00:00.000Z by user 1.
`);
    expect(stdout).toContain("    title: 'Größe “1”'\n    content: 'A\\nB'\n");
    expect(stdout).toContain('No other event of entry-12 lies between these. What came later is not shown.\n');
    expect(stdout).toMatch(/proof-empty\.proof\.json: refused: a proof is too short\n$/);
    expect(run(rules, path).status).toBe(0);
    for (const args of [
      [path, rules],
      [path, '--policy', rules],
      ['--policy', rules, path, path],
    ]) {
      expect(run(...args), `${args}`).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`${path}: accepted`),
      });
    }
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('PROOF... --policy POLICY') });
    expect(run(path, '--policy', path).stdout).toContain(`${path} is no policy: {`);
    expect(stdout).toContain('Sealed fields that this file opens, and in how many events: title (2), content (2)');
    expect(run(rules, join(corpus, 'true/one-field.proof.json')).stdout).toMatch(
      / {4}Not shown: content, excerpt, password\.\n[\s\S]*Sealed fields that this file opens, and in how many events: title \(1\)\.\n/,
    );
    for (const args of [[], [rules], [path, path], [rules, 'absent']]) expect(run(...args).status, `${args}`).toBe(2);
  });
});

describe('the page that verifies', () => {
  const source = readFileSync(join(folder, 'proof.html'), 'utf8');
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(source) ?? [];

  it('has no type errors', () => {
    const place = mkdtempSync(join(tmpdir(), 'page-'));
    try {
      const file = join(place, 'page.js');
      writeFileSync(file, script);
      const tsc = join(import.meta.dirname, '../../node_modules/typescript-7/bin/tsc');
      const checks = ['--noEmit', '--allowJs', '--checkJs', '--strict', '--noUncheckedIndexedAccess'];
      const target = ['--target', 'esnext', '--module', 'esnext', '--lib', 'esnext,dom,dom.iterable', '--types', ''];
      execFileSync(process.execPath, [tsc, ...checks, ...target, file], {
        encoding: 'utf8',
        stdio: 'pipe',
        cwd: place,
      });
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
