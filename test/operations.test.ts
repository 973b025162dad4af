import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readCommandLine } from '#ops/command-line.ts';
import { createMetrics } from '#ops/metrics/metrics.ts';
import { verbs } from '#ops/verbs.ts';
import { settings } from '../src/config.ts';
import { openTestNode } from './support/node.ts';

const guide = new URL('../docs/operations/', import.meta.url);
const text = readdirSync(guide)
  .map((name) => readFileSync(new URL(name, guide), 'utf8'))
  .join('\n');
const lines = text.split('\n');
const kept = (name: string) => readFileSync(new URL(`../ops/${name}`, import.meta.url), 'utf8');

describe('the operations guide', () => {
  const calls = [...text.replaceAll('\n', ' ').matchAll(/npm run cli -- (\w[^`]*?)(?=`| {2}|$)/g)].map(
    ([, call = '']) => call,
  );

  it('calls existing commands with valid arguments', () => {
    expect(calls.length).toBeGreaterThan(15);
    for (const call of calls) {
      const typed = readCommandLine(call.trim().split(/\s+/), verbs);
      if (typed.kind !== 'verb') throw new Error(`${call} is no verb`);
      const { json: _, ...args } = { json: false, ...typed.args };
      expect([call, typed.verb.args.strict().safeParse(args).error?.issues ?? []]).toEqual([call, []]);
    }
  });

  it('gives options that are numbers a value', () => {
    const typed = readCommandLine(['restore', '--from', 'place', '--position', '500'], verbs);
    expect(typed).toMatchObject({ kind: 'verb', args: { from: 'place', position: '500' } });
  });

  it('mentions every command except those on users', () => {
    const named = new Set(calls.map((call) => readCommandLine(call.trim().split(/\s+/), verbs)));
    const known = [...named].map((typed) => (typed.kind === 'verb' ? typed.verb.name : ''));
    const own = verbs.map(({ name }) => name).filter((name) => !name.startsWith('user '));
    expect(own.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('sets only existing settings', () => {
    const set = [...text.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)=/g)].map(([, name = '']) => name);
    // Read by the compose file, by systemd and by Node.
    const others = ['EVENTSTORE_PASSWORD', 'CREDENTIALS_DIRECTORY', 'NODE_OPTIONS'];
    const unknown = set.filter((name) => !(name in settings.shape) && !others.includes(name));
    expect(unknown).toEqual([]);
    expect(set).toContain('METRICS_PORT');
  });

  it('explains every metric of the project, and mentions only existing ones', async () => {
    const { node, directory } = await openTestNode();
    const metrics = createMetrics();
    metrics.watch(node, directory);
    metrics.crawl(() => []);
    metrics.readers(() => 0);
    const served = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const rows = lines.filter((line) => /^\| `(palimpsest|nodejs|process)_/.test(line));
    const explained = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(explained.filter((name) => !served.includes(name))).toEqual([]);
    expect(served.filter((name) => name.startsWith('palimpsest_') && !explained.includes(name))).toEqual([]);
    const used = ['alerts.yml', 'dashboard.json'].flatMap((name) =>
      [...kept(name).matchAll(/\b(?:palimpsest|nodejs|process)_\w+/g)].map(([found]) => found),
    );
    const known = (name: string) => served.includes(name) || served.includes(name.replace(/_(bucket|sum|count)$/, ''));
    expect(used.filter((name) => !known(name))).toEqual([]);
    expect(used.length).toBeGreaterThan(30);
    await node.close();
  });

  it('comes with valid alerts and a valid dashboard: each alert has a severity, each panel a query', () => {
    const { groups } = parse(kept('alerts.yml'));
    for (const rule of groups[0].rules) {
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Palimpsest/),
        expr: expect.any(String),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String) },
      });
    }
    const { panels } = JSON.parse(kept('dashboard.json'));
    expect(panels.every((panel: { targets: unknown[] }) => panel.targets.length > 0)).toBe(true);
  });
});
