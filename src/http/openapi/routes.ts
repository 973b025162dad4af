import { asciiJson } from '#text/json.ts';
import { isPresent } from '../engine/table.ts';
import type { Answer, Call, Route } from '../engine/types.ts';
import { type Describing, describe } from './document.ts';
import { outlineOf } from './outline.ts';
import { documentationPage, pagePolicy } from './page.ts';

export interface DocumentationOptions<M> {
  readonly title: (model: M) => string;
  /** The current address of the route root without trailing slash. */
  readonly base: (model: M) => string;
  /** Prefix of the interface's own headers, without the last hyphen. */
  readonly headerPrefix: string;
  readonly first: string;
  readonly finish: (page: string) => string;
  readonly depends: readonly string[];
}

interface Texts {
  readonly json: string;
  readonly page: string;
}

/** The description of all routes, including these, for programs and for people. An addition to the reference system. */
export function documentationRoutes<M, S extends M>(
  routes: readonly Route<M, S>[],
  options: DocumentationOptions<M>,
): readonly Route<M, S>[] {
  // Making the texts takes a hundred times as long as sending them, and they hardly ever change.
  let known: { readonly key: string; readonly texts: Texts } | undefined;
  const texts = (model: M): Texts => {
    const [title, base] = [options.title(model), options.base(model)];
    const present = routes.filter((route) => isPresent(route, model));
    const key = `${present.length} ${base} ${title}`;
    if (known?.key === key) return known.texts;
    known = { key, texts: textsOf([...present, ...own], { model, title, base, first: options.first }) };
    return known.texts;
  };
  const textsOf = (all: readonly Route<M, S>[], describing: Describing<M>): Texts => {
    const document = describe(all, describing);
    const named = (text: string) => text.replaceAll('X-CMS-', `${options.headerPrefix}-`);
    const json = named(asciiJson(document));
    const outline = outlineOf(document);
    return { json, page: options.finish(named(documentationPage(outline))) };
  };
  const json = ({ model }: Call<M>): Answer => ({
    body: { kind: 'text', type: 'application/json; charset=UTF-8', text: texts(model).json },
  });
  const page = ({ model }: Call<M>): Answer => ({
    body: { kind: 'text', type: 'text/html; charset=UTF-8', text: texts(model).page },
    headers: { 'Content-Security-Policy': pagePolicy },
  });
  const shared = {
    methods: ['GET'] as const,
    args: {},
    permission: () => null,
    depends: () => options.depends,
    isLong: () => known === undefined,
  };
  const own: readonly Route<M, S>[] = [
    {
      namespace: '',
      pattern: '/openapi.json',
      endpoints: [{ ...shared, summary: 'Show this description as OpenAPI, for programs', query: json }],
    },
    {
      namespace: '',
      pattern: '/docs',
      endpoints: [
        { ...shared, summary: 'Show this description as a page, for people', types: ['text/html'], query: page },
      ],
    },
  ];
  return own;
}
