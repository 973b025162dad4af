import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig, settings } from '../src/config.ts';

/** The options of services that the file uses; anything else is a mistake. */
const service = z.strictObject({
  image: z.string(),
  build: z.enum(['.', '../..']).optional(),
  profiles: z.array(z.string()).default([]),
  restart: z.literal('unless-stopped').optional(),
  init: z.literal(true).optional(),
  stop_grace_period: z.string().optional(),
  read_only: z.literal(true).optional(),
  cap_drop: z.tuple([z.literal('ALL')]).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]).optional(),
  user: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).default([]),
  expose: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(:ro)?$/)).default([]),
  networks: z.object({ default: z.object({ ipv4_address: z.ipv4() }) }).optional(),
  depends_on: z
    .union([
      z.array(z.string()),
      z.record(z.string(), z.object({ condition: z.enum(['service_healthy', 'service_completed_successfully']) })),
    ])
    .default([])
    .transform((on) => (Array.isArray(on) ? on : Object.keys(on))),
});

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const file = parse(textOf('docker-compose.yml'), { merge: true, strict: true }) as Record<string, unknown>;
const services = z.record(z.string(), service).parse(file['services']);
const all = Object.entries(services);

/** A value with its variables unset: `${NAME:-default}`, and `$$` for a dollar sign. */
function withoutVariables(value: string): string {
  return value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll('$$', '$');
}

describe('the compose file', () => {
  it('contains only services, volumes, networks and reusable parts', () => {
    const names = Object.keys(file).filter((name) => !name.startsWith('x-'));
    expect(names).toEqual(['services', 'volumes', 'networks']);
  });

  it('pins each image to an exact version', () => {
    const foreign = all.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
    expect(foreign.filter((image) => !/^[\w./-]+:\d+\.\d+\.\d+[\w.-]*$/.test(image))).toEqual([]);
    expect(foreign).toContain('eventstore/eventstore:24.10.0-bookworm-slim');
  });

  it('lets a service depend only on services of the same profiles', () => {
    for (const [name, { depends_on, profiles }] of all) {
      const missing = depends_on.filter((other) => {
        const needed = services[other]?.profiles;
        return needed === undefined || !(needed.length === 0 || needed.every((one) => profiles.includes(one)));
      });
      expect([name, missing]).toEqual([name, []]);
    }
  });

  it('declares every volume it uses, and uses every volume it declares', () => {
    const used = all.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const named = used.filter((volume) => !volume.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(file['volumes'] as object).sort());
  });

  it('gives the app only known settings, with valid values', () => {
    const apps = all.filter(([, { build }]) => build !== undefined);
    expect(apps.map(([name]) => name)).toEqual(['app', 'app-1', 'app-2']);
    for (const [, { environment }] of apps) {
      expect(Object.keys(environment).filter((name) => !(name in settings.shape))).toEqual([]);
      const { EVENTSTORE_URL = '', ...others } = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, withoutVariables(value)]),
      );
      expect(EVENTSTORE_URL).toMatch(/^esdb:\/\/([\w]+:[\w]+@)?[\w.-]+:2113(,[\w.-]+:2113)*\?tls=(true|false)/);
      expect(readConfig(others).metrics).toEqual({ host: '0.0.0.0', port: 9464 });
    }
  });

  it('gives app and servers the same limit on the size of an append', () => {
    const of = (name: string) => all.flatMap(([, { environment }]) => environment[name] ?? []);
    const [taken, ...others] = of('EVENTSTORE_MAX_APPEND_SIZE');
    expect([...others, ...of('EVENTSTORE_APPEND_BYTES')]).toEqual(Array.from({ length: 6 }, () => taken));
    // The largest value that a server accepts.
    expect(Number(taken)).toBeLessThanOrEqual(16_767_216);
  });

  it('publishes only the site, on a different port for each profile', () => {
    const published = all.flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['app', '8080:8080'],
      ['proxy', '8081:8080'],
    ]);
  });

  it('gives every node and log its own volume, and a cluster one volume for uploads', () => {
    const at = (path: string) => all.flatMap(([, { volumes }]) => volumes.filter((one) => one.endsWith(`:${path}`)));
    for (const path of ['/data', '/var/lib/eventstore']) expect(new Set(at(path)).size).toBe(at(path).length);
    expect(at('/data/media')).toEqual(['media:/data/media', 'media:/data/media']);
  });

  it('lets three cluster nodes find each other, each with a certificate of its own', () => {
    const nodes = all.filter(([name]) => /^eventstore-\d$/.test(name)).map(([, node]) => node);
    const addresses = nodes.map(({ networks }) => networks?.default.ipv4_address ?? '');
    expect(new Set(addresses).size).toBe(3);
    for (const [i, { environment }] of nodes.entries()) {
      const others = addresses.filter((address) => address !== addresses[i]).map((address) => `${address}:2113`);
      expect(environment['EVENTSTORE_GOSSIP_SEED']).toBe(others.join());
      expect(environment['EVENTSTORE_REPLICATION_IP']).toBe(addresses[i]);
      expect(environment['EVENTSTORE_CERTIFICATE_FILE']).toBe(`/certs/node${i + 1}/node.crt`);
      expect(addresses[i]).toBe(`172.30.240.1${i + 1}`);
    }
    const urls = ['app-1', 'app-2'].map((name) => services[name]?.environment['EVENTSTORE_URL'] ?? '');
    // By name, as in the certificates: Node warns about IP addresses there.
    const names = nodes.map(({ environment }) => environment['EVENTSTORE_ADVERTISE_HOST_TO_CLIENT_AS'] ?? '');
    expect(names).toEqual(['eventstore-1', 'eventstore-2', 'eventstore-3']);
    for (const url of urls) expect(url).toContain(`@${names.map((name) => `${name}:2113`).join()}?`);
  });

  it('trusts only the proxy to state client addresses', () => {
    const address = services['proxy']?.networks?.default.ipv4_address;
    for (const name of ['app-1', 'app-2']) expect(services[name]?.environment['TRUSTED_PROXIES']).toBe(address);
    expect(services['app']?.environment['TRUSTED_PROXIES']).toBeUndefined();
  });

  it('makes certificates that last ten years, and starts afresh after an interruption', () => {
    const script = services['certificates']?.command?.join('\n') ?? '';
    const made = [...script.matchAll(/es-gencert-cli create-\w+ (.*)$/gm)].map(([, options]) => options);
    expect(made).toEqual([expect.stringContaining('-days 3650'), expect.stringContaining('-days 3650')]);
    expect(script.indexOf('rm -rf ./ca')).toBeLessThan(script.indexOf('create-ca'));
  });

  it('lets the proxy send requests to exactly the existing nodes', () => {
    const servers = [...textOf('docker/haproxy.cfg').matchAll(/^ +server (\S+) (\S+)$/gm)].map(([, , to]) => to);
    expect(new Set(servers)).toEqual(new Set(['app-1:8080', 'app-2:8080']));
    expect(services['proxy']?.depends_on).toEqual(['app-1', 'app-2']);
  });
});

describe.each(readdirSync(new URL('../ops/compose', import.meta.url)))('the example %s', (name) => {
  const example = parse(textOf(`ops/compose/${name}`), { strict: true }) as Record<string, unknown>;
  const { app, ...others } = z.record(z.string(), service).parse(example['services']);

  it('runs the image with valid settings and declared volumes, and publishes only the site', () => {
    const environment = Object.entries(app?.environment ?? {}).map(([key, value]) => [key, withoutVariables(value)]);
    const given = environment.filter(([key]) => !key?.startsWith('AWS_'));
    expect(given.filter(([key = '']) => !(key in settings.shape))).toEqual([]);
    expect(() => readConfig(Object.fromEntries(given))).not.toThrow();
    const volumes = [app, ...Object.values(others)].flatMap((each) => each?.volumes ?? []);
    expect(volumes.map((volume) => volume.split(':')[0])).toEqual(Object.keys(example['volumes'] as object));
    expect(app?.ports).toEqual(['8080:8080']);
    expect(Object.values(others).flatMap(({ ports }) => ports)).toEqual([]);
  });
});

describe('every compose file', () => {
  it('runs the image read-only, without capabilities and with an init process', () => {
    const texts = [
      'docker-compose.yml',
      ...readdirSync(new URL('../ops/compose', import.meta.url)).map((name) => `ops/compose/${name}`),
    ];
    for (const text of texts) {
      const { services: found } = parse(textOf(text), { merge: true }) as { services: Record<string, unknown> };
      const apps = Object.values(z.record(z.string(), service).parse(found)).filter(({ build }) => build !== undefined);
      expect(apps.length).toBeGreaterThan(0);
      for (const app of apps) expect(app).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true });
    }
  });
});

describe('the image', () => {
  const image = textOf('Dockerfile');

  const { version, scripts, devDependencies } = z
    .object({
      version: z.string(),
      scripts: z.record(z.string(), z.string()),
      devDependencies: z.object({ node: z.string() }),
    })
    .parse(JSON.parse(textOf('package.json')));

  it('runs on the Node version of the tests, and is labelled with the project’s version', () => {
    expect(image).toContain(`FROM node:${devDependencies.node}-slim AS build\n`);
    expect(image).toContain(`org.opencontainers.image.version="${version}"`);
  });

  it('copies exactly the files that .dockerignore admits', () => {
    const copied = [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from?.split(' ') ?? []);
    const allowed = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(copied.sort()).toEqual(allowed.map((line) => line.slice(1)).sort());
  });

  it('runs as an unprivileged user who owns /data, and keeps temporary files there', () => {
    expect(image).toMatch(/chown -R node:node \/data$/m);
    expect(image).toMatch(/^ENV SQLITE_TMPDIR=\/data$/m);
    expect(image).toMatch(/^USER node$/m);
  });

  it('is started as `npm start` starts the server', () => {
    const [, setting = '', options = '', ...words] =
      /^(\S+=\S+) node (.*) src\/(bin\.js) (start)$/.exec(scripts['start'] ?? '') ?? [];
    expect(image).toContain(`\nENV ${setting}\n`);
    expect(textOf('ops/systemd/palimpsest.service')).toContain(`\nEnvironment=${setting}\n`);
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]');
    expect(command).toEqual(['node', ...options.split(' '), `dist/${words[0]}`, words[1]]);
  });
});
