// Generates clients with six programs of others from the OpenAPI document of a running server, compiles them strictly, and has each read the
// newest post: `npm run generators -- http://localhost:8080`. The programs are installed in a temporary folder; `npm run types` has a seventh.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Generator {
  /** Packages with their versions: the program, and what its clients import. */
  readonly packages: readonly string[];
  /** Writes a client from `openapi.json` in its folder. */
  readonly command: readonly [string, ...string[]];
  /** Writes the ids of a list of one post as JSON; `base` is the root of the interface. */
  readonly use: string;
}

const generators: Readonly<Record<string, Generator>> = {
  'hey-api': {
    packages: ['@hey-api/openapi-ts@0.99.0'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api'],
    use: `import { client } from './hey-api/client.gen';
import { getCmsV2Posts } from './hey-api/sdk.gen';
client.setConfig({ baseUrl: base });
const { data } = await getCmsV2Posts({ query: { per_page: 1 } });
show(data?.map(({ id }) => id));`,
  },
  orval: {
    packages: ['orval@8.38.0', 'axios@1.21.1'],
    command: ['orval', '-i', 'openapi.json', '-o', 'orval.ts', '--client', 'axios-functions'],
    use: `import axios from 'axios';
import { getCmsV2Posts } from './orval';
axios.defaults.baseURL = base;
const { data } = await getCmsV2Posts({ per_page: 1 });
show(data.map(({ id }) => id));`,
  },
  'swagger-typescript-api': {
    packages: ['swagger-typescript-api@13.13.0'],
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'swagger.ts'],
    use: `import { Api } from './swagger';
const { data } = await new Api({ baseUrl: base }).cms.getCmsV2Posts({ per_page: 1 });
show(data.map(({ id }) => id));`,
  },
  oazapfts: {
    packages: ['oazapfts@7.5.0', '@oazapfts/runtime@1.2.0'],
    command: ['oazapfts', 'openapi.json', 'oazapfts.ts'],
    use: `import { defaults, getCmsV2Posts } from './oazapfts';
defaults.baseUrl = base;
const answer = await getCmsV2Posts({ perPage: 1 });
if ('data' in answer && Array.isArray(answer.data)) show(answer.data.map(({ id }) => id));`,
  },
  'typed-openapi': {
    packages: ['typed-openapi@2.2.7'],
    command: ['typed-openapi', 'openapi.json', '-o', 'typed.ts'],
    use: `import { createApiClient } from './typed';
const fetcher = { fetch: ({ url, urlSearchParams }: { url: URL | string; urlSearchParams?: URLSearchParams }) => fetch(\`\${url}?\${urlSearchParams}\`) };
const posts = await createApiClient(fetcher, base).get('/cms/v2/posts', { query: { per_page: 1 }, header: {} });
show(posts.map(({ id }) => id));`,
  },
  'openapi-client-axios': {
    packages: ['openapi-client-axios-typegen@7.8.0', 'openapi-client-axios@7.9.1', 'openapi-types@12.1.3'],
    command: ['sh', '-c', 'typegen openapi.json > typegen.d.ts'],
    use: `import { OpenAPIClientAxios } from 'openapi-client-axios';
import { readFileSync } from 'node:fs';
import type { Client } from './typegen';
const definition = JSON.parse(readFileSync('openapi.json', 'utf8'));
const client = await new OpenAPIClientAxios({ definition, axiosConfigDefaults: { baseURL: base } }).init<Client>();
const { data } = await client['get-cms-v2-posts']({ per_page: 1 });
show(data.map(({ id }) => id));`,
  },
};

const common = ['typescript@5.9.3', '@types/node@24.19.2', 'tsx@4.23.15'];
const compilerOptions = {
  ...{ strict: true, noEmit: true, target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
  ...{ module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true },
};

const [site = 'http://localhost:8080'] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), 'generators-'));
const bin = join(place, 'node_modules/.bin');
const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
const run = ([program, ...args]: readonly [string, ...string[]]) =>
  execFileSync(program, args, { cwd: place, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function main(): Promise<boolean> {
  const { headers } = await fetch(site);
  const [root = ''] = (headers.get('link') ?? '').replace('<', '').split('>');
  if (root === '') throw new Error(`${site} names no interface in its header Link. Is a server running there?`);
  const base = root.replace(/\/$/, '');
  writeFileSync(join(place, 'openapi.json'), await (await fetch(`${base}/openapi.json`)).text());
  const [newest] = (await (await fetch(`${base}/cms/v2/posts?per_page=1&_fields=id`)).json()) as { id: number }[];
  writeFileSync(join(place, 'package.json'), '{ "type": "module", "private": true }');
  const packages = Object.values(generators).flatMap((one) => one.packages);
  run(['npm', 'install', '--silent', '--ignore-scripts', '--save-exact', ...common, ...packages]);
  const results = Object.entries(generators).map(([name, generator]) => {
    const fault = faultOf(name, generator, base, JSON.stringify(newest === undefined ? [] : [newest.id]));
    process.stdout.write(`${name.padEnd(24)}${fault ?? 'generates, compiles and reads'}\n`);
    return fault === null;
  });
  return results.every(Boolean);
}

/** What is wrong with the client of a generator; null if nothing is. */
function faultOf(name: string, { command, use }: Generator, base: string, expected: string): string | null {
  const file = `use-${name}.ts`;
  const head = `const base = ${JSON.stringify(base)};\nconst show = (ids: unknown) => console.log(JSON.stringify(ids));\n`;
  try {
    run(command);
    writeFileSync(join(place, file), `${head}${use}\n`);
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    run([join(bin, 'tsc'), '--project', 'tsconfig.json']);
    const shown = run([join(bin, 'tsx'), file]).trim();
    return shown === expected ? null : `reads ${shown}, not ${expected}`;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `fails:\n${stdout}${stderr}`.slice(0, 2000);
  }
}
