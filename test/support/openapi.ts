import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document, Operation, Response } from '#http/openapi/types.ts';
import type { Site } from './site.ts';

/** One exchange to be checked against the description. */
export interface Exchanged {
  readonly method: string;
  /** Path below the route root. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Creates a function that checks responses against a description. */
export function createChecker(document: Document) {
  const ajv = new Ajv.Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(document as never, 'api');
  const templates = Object.keys(document.paths)
    .map((path) => ({ path, expression: expressionOf(path) }))
    // Literal parts take precedence over parameters.
    .sort((a, b) => writtenOut(b.path) - writtenOut(a.path));

  const operationOf = (
    method: string,
    path: string,
  ): { readonly path: string; readonly operation: Operation } | null => {
    for (const { path: template, expression } of templates) {
      const operation = expression.test(path) ? document.paths[template]?.[method.toLowerCase()] : undefined;
      if (operation !== undefined) return { path: template, operation };
    }
    return null;
  };

  /** Returns how a response contradicts the description; null if it does not. */
  return ({ method, path, query, status, type, body }: Exchanged): string | null => {
    if (method === 'OPTIONS' || query.has('_jsonp') || query.has('_method')) return null;
    const found = operationOf(method, path.replace(/(?<=.)\/$/, ''));
    if (found === null) return status === 404 ? null : `${method} ${path} is not described`;
    const { responses } = found.operation;
    const isEnveloped = query.has('_envelope') && status === 200;
    const given = isEnveloped ? (JSON.parse(body) as { status: number; body: unknown }) : null;
    const shown = given?.status ?? status;
    const key = String(shown) in responses ? String(shown) : shown >= 400 ? 'default' : null;
    if (key === null) return `${method} ${found.path} does not describe ${shown}`;
    const response = responses[key];
    const name = '$ref' in (response ?? {}) ? (response as { $ref: string }).$ref.replace(/^#/, '') : null;
    const at = name ?? `/paths/${escaped(found.path)}/${method.toLowerCase()}/responses/${key}`;
    const content = contentOf(document, name) ?? (response as Response).content;
    if (method === 'HEAD') return body === '' ? null : `HEAD ${found.path} has a body`;
    if (content === undefined) return body === '' ? null : `${key} of ${found.path} has no body`;
    if (!type.startsWith('application/json')) return null;
    const validate = ajv.getSchema(`api#${at}/content/application~1json/schema`);
    if (validate === undefined) return `${key} of ${found.path} has no schema`;
    const value = given === null ? (JSON.parse(body) as unknown) : given.body;
    if (validate(value) === true) return null;
    const [first] = validate.errors ?? [];
    return `${method} ${found.path} ${key}: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
  };
}

function contentOf(document: Document, ref: string | null): Response['content'] {
  const name = ref?.split('/').at(-1);
  return name === undefined ? undefined : document.components.responses[name]?.content;
}

const writtenOut = (path: string): number => path.replaceAll(/\{\w+\}/g, '').length;

function expressionOf(path: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(literal)
      .join('[^?]*?')}$`,
    'i',
  );
}

function escaped(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Checkers by `key`: creating one takes a second. */
const checkers = new Map<string, Promise<ReturnType<typeof createChecker>>>();

export interface Described {
  readonly namespaces: readonly string[];
  /** Sites with the same one have the same description, whatever their settings. */
  readonly key: string;
}

/** A site whose responses below `namespaces` are compared with its own description; a call fails if they differ. */
export function describedSite(site: Site, { namespaces, key }: Described): Site {
  const checker = async () => createChecker((await site.call('anonymous', 'GET /cms-json/openapi.json')).body);
  const call: Site['call'] = async (as, request, ...rest) => {
    const answer = await site.call(as, request, ...rest);
    const [method = '', target = ''] = request.split(' ');
    const { pathname, searchParams: query } = new URL(target, 'http://site.invalid');
    const path = pathname.replace(/^\/cms-json(?=\/)/, '');
    const isMeant = pathname !== path && namespaces.some((name) => path.startsWith(`/${name}/`));
    // Responses to `_fields` lack other fields.
    if (!isMeant || query.has('_fields') || JSON.stringify(rest[0] ?? '').includes('_fields')) return answer;
    const known = checkers.get(key) ?? checker();
    checkers.set(key, known);
    const { status, text: body, headers } = answer;
    const type = headers.get('content-type') ?? '';
    const fault = (await known)({ method, path: decodeURI(path), query, status, type, body });
    if (fault !== null) throw new Error(`Not as described: ${fault}: ${body.slice(0, 500)}`);
    return answer;
  };
  return new Proxy(site, { get: (from, name) => (name === 'call' ? call : Reflect.get(from, name)) });
}
