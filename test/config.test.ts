import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '#catalogue/plugin-settings.ts';
import { likelyTypos } from '#config/likely-typos.ts';
import { defaultNames } from '#domain/site/interface-names.ts';
import { shownSettings } from '#ops/serve.ts';
import { ConfigError, readConfig, settings } from '../src/config.ts';
import { temporaryDirectory } from './support/temporary.ts';

function complaints(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split('\n');
  }
}

describe('settings', () => {
  it('have defaults for an empty environment', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      dataDir: './data',
      mediaUrl: null,
      backups: null,
      backupKey: null,
      site: {},
      ownUrl: 'http://localhost:8080',
      deployment: 'A',
      plugins: defaultSettings,
      eventStoreUrl: null,
      eventStoreSite: 'site',
      eventStoreAppendBytes: 1000000,
      positionWait: 5000,
      storeWait: 3000,
      clockTolerance: 60_000,
      stopDelay: 500,
      stopDeadline: 8000,
      logLevel: 'info',
      logRequests: 'all',
      slowRequest: 1000,
      bodyLimit: 10485760,
      textLimit: 1048576,
      parameterLimit: 65536,
      bodiesLimit: 67108864,
      bodyTimeout: 120,
      uploadLimit: 1073741824,
      imagePixels: 100000000,
      imageLengths: [150, 300, 320, 480, 640, 768, 960, 1024, 1280, 1536, 1920, 2048, 2560],
      imageBytes: 1073741824,
      commitBytes: 33554432,
      writeQueue: 2000,
      cacheBytes: 16777216,
      compress: true,
      publicCaching: { maxAge: 0, sharedMaxAge: 0, staleWhileRevalidate: 0, tagHeader: null },
      metrics: null,
      readers: 0,
      checkpoints: { every: 600_000, key: null, to: [], authority: null },
      originDays: 90,
      trustedProxies: [],
      guessLimit: 20,
      connections: 4096,
      rebuildPriority: 'idle',
      visitorComments: 0,
      releaseApprovals: 0,
      corsOrigins: [],
      telemetry: false,
      webhooks: true,
      webhookNetworks: [],
      names: defaultNames,
    });
  });

  it('are read from files in CREDENTIALS_DIRECTORY if the environment lacks them', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'CACHE_SECRET'), 'kept in a file of its own\n');
    writeFileSync(join(folder, 'PORT'), '1');
    const env = { CREDENTIALS_DIRECTORY: folder, PORT: '2' };
    expect(readConfig(env)).toMatchObject({
      plugins: { secrets: { CACHE_SECRET: 'kept in a file of its own' } },
      port: 2,
    });
  });

  it('are shown without secrets', () => {
    const shown = shownSettings({
      EVENTSTORE_URL: 'esdb://admin:geheim@store:2113?tls=false',
      CACHE_SECRET: 'geheim geheim geheim',
      PORT: '9000',
    });
    expect(JSON.stringify(shown)).not.toContain('geheim');
    expect(shown).toMatchObject({
      EVENTSTORE_URL: 'esdb://(hidden)@store:2113?tls=false',
      PORT: '9000',
    });
    expect(Object.keys(shownSettings({ HOST: '127.0.0.1', LOG_LEVEL: 'warn' }))).toEqual(['LOG_LEVEL']);
  });

  it('are taken from the environment', () => {
    const config = readConfig({
      HOST: '::1',
      PORT: '0',
      DATA_DIR: '/srv/data',
      MEDIA_URL: 's3://bucket/site?region=eu-central-1',
      BACKUP_TO: '/mnt/backups',
      BACKUP_KEY: 'ab'.repeat(32),
      BACKUP_EVERY: '60',
      BACKUP_KEEP: '3',
      BACKUP_SHIP: 'on',
      SITE_NAME: 'A – B',
      SITE_DESCRIPTION: 'words',
      SITE_TIMEZONE: '-03:30',
      DEPLOYMENT: 'B',
      INTERFACE_NAMES: '{"root":"api","namespaces":{"cms/v2":"site/v1"}}',
      PREVIEW_URL: 'https://app.example/p/{id}?t={token}',
      PLUGIN_SETTINGS: '{"publicIp":"203.0.113.7"}',
      CACHE_SECRET: 'sixteen letters!',
      EVENTSTORE_URL: 'esdb://admin:changeit@one:2111,two:2112?nodePreference=leader',
      EVENTSTORE_SITE: 'blog',
      EVENTSTORE_APPEND_BYTES: '2000000',
      POSITION_WAIT: '0',
      STORE_WAIT: '0',
      CLOCK_TOLERANCE: '5',
      STOP_DELAY: '0',
      STOP_DEADLINE: '100',
      LOG_LEVEL: 'silent',
      BODY_LIMIT: '2048',
      TEXT_LIMIT: '1500',
      PARAMETER_LIMIT: '1024',
      BODIES_LIMIT: '65536',
      BODY_TIMEOUT: '5',
      UPLOAD_LIMIT: '4096',
      IMAGE_PIXELS: '1000',
      IMAGE_LENGTHS: '100, 200',
      IMAGE_BYTES: '0',
      PAGE_TEMPLATES: 'wide, parts/plain.html,',
      MENU_LOCATIONS: 'header=The head, foot_1=x=y',
      LOG_REQUESTS: 'writes',
      SLOW_REQUEST: '50',
      COMMIT_BYTES: '65536',
      WRITE_QUEUE: '10',
      CACHE_BYTES: '1048576',
      COMPRESS: 'off',
      PUBLIC_MAX_AGE: '60',
      SHARED_MAX_AGE: '600',
      STALE_WHILE_REVALIDATE: '30',
      CACHE_TAGS: 'Surrogate-Key',
      METRICS_PORT: '9464',
      METRICS_HOST: '::',
      CHECKPOINT_EVERY: '60',
      CHECKPOINT_KEY: 'log.key',
      CHECKPOINT_TO: 'copies, https://keeper.example/',
      CHECKPOINT_TIMESTAMPS: 'https://tsa.example/',
      ORIGIN_DAYS: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, fd00::1,loopback',
      CONNECTIONS: '500',
      GUESS_LIMIT: '5',
      REBUILD_PRIORITY: 'normal',
      VISITOR_COMMENTS: '7',
      RELEASE_APPROVALS: '2',
      FRONT_URL: 'https://www.example.org/',
      CORS_ORIGINS: 'https://App.example.org, http://localhost:5173/',
      TELEMETRY: 'on',
      WEBHOOKS: 'on',
      WEBHOOK_NETWORKS: '10.0.0.0/8, ::1',
    });
    expect(config).toEqual({
      host: '::1',
      port: 0,
      dataDir: '/srv/data',
      mediaUrl: 's3://bucket/site?region=eu-central-1',
      backups: { to: '/mnt/backups', key: Buffer.alloc(32, 0xab), every: 60, keep: 3, ships: true },
      backupKey: Buffer.alloc(32, 0xab),
      site: {
        name: 'A – B',
        description: 'words',
        timezone: '-03:30',
        templates: ['wide', 'parts/plain.html'],
        menuLocations: ['header=The head', 'foot_1=x=y'],
      },
      ownUrl: 'http://localhost',
      deployment: 'B',
      plugins: {
        ...defaultSettings,
        publicIp: '203.0.113.7',
        secrets: { ASSISTANT_SECRET: null, CACHE_SECRET: 'sixteen letters!' },
      },
      eventStoreUrl: 'esdb://admin:changeit@one:2111,two:2112?nodePreference=leader',
      eventStoreSite: 'blog',
      eventStoreAppendBytes: 2000000,
      positionWait: 0,
      storeWait: 0,
      clockTolerance: 5000,
      stopDelay: 0,
      stopDeadline: 100,
      logLevel: 'silent',
      logRequests: 'writes',
      slowRequest: 50,
      bodyLimit: 2048,
      textLimit: 1500,
      parameterLimit: 1024,
      bodiesLimit: 65536,
      bodyTimeout: 5,
      uploadLimit: 4096,
      imagePixels: 1000,
      imageLengths: [100, 200],
      imageBytes: 0,
      commitBytes: 65536,
      writeQueue: 10,
      cacheBytes: 1048576,
      compress: false,
      publicCaching: { maxAge: 60, sharedMaxAge: 600, staleWhileRevalidate: 30, tagHeader: 'Surrogate-Key' },
      metrics: { host: '::', port: 9464 },
      readers: 0,
      checkpoints: {
        every: 60_000,
        key: 'log.key',
        to: ['copies', 'https://keeper.example/'],
        authority: 'https://tsa.example/',
      },
      originDays: 0,
      trustedProxies: ['10.0.0.0/8', 'fd00::1', 'loopback'],
      guessLimit: 5,
      connections: 500,
      rebuildPriority: 'normal',
      visitorComments: 7,
      releaseApprovals: 2,
      corsOrigins: ['https://app.example.org', 'http://localhost:5173'],
      telemetry: true,
      webhooks: true,
      webhookNetworks: ['10.0.0.0/8', '::1'],
      names: {
        ...defaultNames,
        root: 'api',
        namespaces: { 'cms/v2': 'site/v1' },
        previewUrl: 'https://app.example/p/{id}?t={token}',
        frontUrl: 'https://www.example.org',
      },
    });
  });

  it('count as unset when empty', () => {
    const empty = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it.each([
    ['0.0.0.0', '8080', 'http://localhost:8080'],
    ['::', '80', 'http://localhost'],
    ['cms.example.org', '3000', 'http://cms.example.org:3000'],
    ['fd00::7', '3000', 'http://[fd00::7]:3000'],
  ])('derive the site’s own address from host %s and port %s', (HOST, PORT, siteUrl) => {
    expect(readConfig({ HOST, PORT }).ownUrl).toBe(siteUrl);
  });

  it.each([
    ['https://example.org/', 'https://example.org'],
    ['https://example.org:8443/blog//', 'https://example.org:8443/blog'],
    ['HTTP://EXAMPLE.org', 'http://example.org'],
  ])('normalise %s and drop its trailing slash', (SITE_URL, siteUrl) => {
    expect(readConfig({ SITE_URL }).site.url).toBe(siteUrl);
  });

  it.each([
    ['HOST', 'two words'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['SITE_URL', 'ftp://example.org'],
    ['SITE_URL', 'https://example.org/?a=1'],
    ['SITE_URL', 'https://example.org/#a'],
    ['SITE_URL', 'https://ada:secret@example.org/'],
    ['SITE_URL', 'example.org'],
    ['CHECKPOINT_EVERY', '-1'],
    ['READERS', '17'],
    ['ORIGIN_DAYS', '-1'],
    ['TRUSTED_PROXIES', 'proxy.example.org'],
    ['SITE_TIMEZONE', 'Europe/Atlantis'],
    ['SITE_TIMEZONE', '+5'],
    ['SITE_TIMEZONE', '+25:00'],
    ['DEPLOYMENT', 'C'],
    ['PLUGIN_SETTINGS', 'x'],
    ['PLUGIN_SETTINGS', '{"publicIp":"here"}'],
    ['PLUGIN_SETTINGS', '{"unknown":1}'],
    ['LOG_LEVEL', 'loud'],
    ['BODY_LIMIT', '10 MiB'],
    ['BODY_LIMIT', '1'],
    ['TEXT_LIMIT', '99999999'],
    ['UPLOAD_LIMIT', '1 GiB'],
    ['IMAGE_PIXELS', '0'],
    ['IMAGE_LENGTHS', '300,4097'],
    ['IMAGE_LENGTHS', '300;400'],
    ['IMAGE_BYTES', '-1'],
    ['PAGE_TEMPLATES', 'a b'],
    ['MENU_LOCATIONS', 'header'],
    ['MENU_LOCATIONS', 'Header=a'],
    ['COMMIT_BYTES', '100'],
    ['CACHE_BYTES', '1.5'],
    ['COMPRESS', 'yes'],
  ])('refuse %s=%s in one line that names the variable, its value and what is allowed', (name, value) => {
    const lines = complaints({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name} is .+; allowed: .+`));
    expect(lines[0]).toContain(JSON.stringify(value));
  });

  it.each([
    ['INTERFACE_NAMES', '{"rooot":"x"}', '"rooot" is not known'],
    ['INTERFACE_NAMES', '{"relations":{"address":"https://a.example"}}', '"relations.address" is not as it has to be'],
    ['INTERFACE_NAMES', '{"root"', 'it is no JSON'],
    ['INTERFACE_NAMES', '/no/such/file', 'there is no such file'],
    ['PLUGIN_SETTINGS', '{"nothing":1}', '"nothing" is not known'],
  ])('say what is wrong within %s=%s', (name, value, why) => {
    expect(complaints({ [name]: value })).toEqual([expect.stringContaining(`: ${why}`)]);
  });

  it('name both settings of a port that is given twice', () => {
    expect(complaints({ PORT: '9324', METRICS_PORT: '9324' })).toEqual([
      'METRICS_PORT and PORT are both 9324; set one of them to another port',
    ]);
    expect(complaints({ TRUSTED_PROXIES: '10.0.0.0/99' })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is /)]);
  });

  it('report all invalid variables together', () => {
    const lines = complaints({ PORT: 'x', LOG_LEVEL: 'x', SITE_URL: 'x' });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'SITE_URL', 'LOG_LEVEL']);
  });

  const addresses: Readonly<Record<string, string>> = {
    'postgres://a:changeit@b': 'is not of the form esdb://',
    'esdb://a:changeit@b:2113?tlsVerifyCert=false': 'has an option that is not known here: tlsVerifyCert',
    'esdb://a:changeit@b:2113?throwOnAppendFailure=false': 'has an option that is not known here',
    'esdb://a:changeit@b:2113?tls=changeit': 'has a wrong value for the option tls',
    'esdb://a%:41changeit@b:2113': 'needs a % in user or password written as %25',
    'esdb://a:changeit%@b:2113': 'needs a % in user or password written as %25',
    'esdb://a:changeit@b:2113,c:65536': 'has a port over 65535',
    'esdb://changeit.example:2113': 'needs user:password@ unless it says tls=false',
  };
  for (const [address, complaint] of Object.entries(addresses)) {
    it(`refuse ${address} as a server address without revealing its credentials`, () => {
      const lines = complaints({ EVENTSTORE_URL: address });
      expect(lines).toEqual([expect.stringContaining(complaint)]);
      expect(lines.join()).not.toContain('changeit');
    });
  }

  it.each([
    ['gs://bucket/site', 'neither a folder nor of the form s3://'],
    ['s3://key:changeit@bucket/site', 'AWS_ACCESS_KEY_ID'],
    ['s3://bucket/site?endpoint=changeit', 'an endpoint that is no http'],
    ['s3://bucket/site?path-style=changeit', 'path-style that is neither'],
    ['s3://bucket/site?secret=changeit', 'an option that is not known here: secret'],
    ['s3://bucket:9000/site', 'endpoint='],
    ['s3:///site', 'no bucket name'],
    ['s3:bucket', 'neither a folder nor of the form s3://'],
    ['s3:/bucket/changeit', 'neither a folder nor of the form s3://'],
    ['https://bucket.example/changeit', 'neither a folder nor of the form s3://'],
    ['file:///var/media', 'begins with ./'],
    ['sftp:media', 'begins with ./'],
    [' s3://bucket/site', 'neither a folder nor of the form s3://'],
    ['/var/media ', 'begins or ends with a blank'],
    ['s3://bucket/%', 'a path with a %'],
  ])('refuse %s as a store of files without revealing its options', (address, complaint) => {
    const lines = complaints({ MEDIA_URL: address });
    expect(lines).toEqual([expect.stringContaining(complaint)]);
    expect(lines.join()).not.toContain('changeit');
  });

  it.each([
    ['DATA_DIR', 's3://bucket/site'],
    ['DATA_DIR', 'file:/var/data'],
    ['CHECKPOINT_KEY', 'https://keys.example/site'],
    ['CHECKPOINT_TO', '/mnt/checkpoints,s3://bucket'],
    ['CHECKPOINT_TO', 'https:keeper.example'],
    ['CHECKPOINT_TIMESTAMPS', 'https:authority.example'],
    ['SITE_URL', 'https:example.org'],
    ['SITE_URL', 'https:/example.org'],
    ['CORS_ORIGINS', 'https:app.example.org'],
    ['INTERFACE_NAMES', 'https://example.org/names.json'],
  ])('refuse what looks like an address and is none that can be used: %s=%s', (name, value) => {
    expect(complaints({ [name]: value })).toEqual([expect.stringMatching(`^${name} is .*; allowed: `)]);
  });

  it('take folders whose names have colons further on, and addresses in any case', () => {
    const given = { DATA_DIR: './a:b', MEDIA_URL: './s3:bucket', BACKUP_TO: 'S3://bucket', CHECKPOINT_TO: 'd/x:y' };
    expect(complaints({ ...given, SITE_URL: 'HTTPS://example.org' })).toEqual([]);
  });

  it('are refused without revealing a secret', () => {
    const lines = complaints({ CACHE_SECRET: 'too short', ASSISTANT_SECRET: 'also short', BACKUP_KEY: 'short' });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('short');
  });

  it('are accepted, or refused with the variable’s name, whatever its value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(settings.shape)), fc.string(), (name, value) => {
        for (const line of complaints({ [name]: value })) expect(line.startsWith(name)).toBe(true);
      }),
    );
  });
});

describe('the table in docs/settings.md', () => {
  const page = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name, value]) => [name, value]);

  it('lists exactly the settings with their defaults', () => {
    const known = Object.entries(settings.shape).map(([name, schema]) => {
      const text = 'defaultValue' in schema.def ? String(schema.def.defaultValue) : '';
      return [name, text === '' ? '–' : `\`${text}\``];
    });
    expect(rows).toEqual(known);
  });
});

describe('settings that cannot be meant', () => {
  it('are refused if they contradict each other, or name a folder that does not exist', () => {
    expect(() => readConfig({ BACKUP_SHIP: 'on' })).toThrow('BACKUP_SHIP is on, but BACKUP_TO');
    expect(() => readConfig({ CREDENTIALS_DIRECTORY: '/nowhere/secrets' })).toThrow(
      '/nowhere/secrets, which does not exist',
    );
  });

  it.each([
    ['PORTT', 'PORT'],
    ['PROT', 'PORT'],
    ['SITE_URI', 'SITE_URL'],
    ['BACKUP_T', 'BACKUP_TO'],
    ['BACKUP_TOO', 'BACKUP_TO'],
  ])('are named if a letter is wrong: %s', (name, meant) => {
    expect(likelyTypos({ [name]: '1', PORT: '1' }, Object.keys(settings.shape))).toEqual([[name, meant]]);
  });

  it('are not found among the variables of other programs', () => {
    const others = [
      'PATH',
      'HOME',
      'USER',
      'LOGNAME',
      'SHELL',
      'TERM',
      'LANG',
      'HOSTNAME',
      'NODE_ENV',
      'PWD',
      'TZ',
      'SHLVL',
      'HTTP_PROXY',
    ];
    expect(likelyTypos(Object.fromEntries(others.map((name) => [name, ''])), Object.keys(settings.shape))).toEqual([]);
  });
});
