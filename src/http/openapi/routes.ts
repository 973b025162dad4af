import { asciiJson } from '#text/json.ts';
import { NeedsTurn, presentAttempts } from '#text/turns.ts';
import { isPresent } from '../engine/table.ts';
import type { Answer, Call, Route } from '../engine/types.ts';
import { type Describing, describeInSteps } from './document.ts';
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
  let making: { readonly key: string; readonly steps: Generator<void, Texts> } | undefined;
  const texts = (model: M): Texts => {
    const [title, base] = [options.title(model), options.base(model)];
    const present = routes.filter((route) => isPresent(route, model));
    const key = `${present.length} ${base} ${title}`;
    if (known?.key === key) return known.texts;
    if (making?.key !== key)
      making = { key, steps: textsInSteps([...present, ...own], { model, title, base, first: options.first }) };
    const { steps } = making;
    // A generator cannot be continued after a step that failed.
    making = undefined;
    const onPause = () => {
      making = { key, steps };
    };
    known = { key, texts: finished(steps, onPause) };
    return known.texts;
  };
  function* textsInSteps(all: readonly Route<M, S>[], describing: Describing<M>): Generator<void, Texts> {
    const document = yield* describeInSteps(all, describing);
    const named = (text: string) => text.replaceAll('X-CMS-', `${options.headerPrefix}-`);
    const json = named(asciiJson(document));
    yield;
    const outline = outlineOf(document);
    yield;
    return { json, page: options.finish(named(documentationPage(outline))) };
  }
  const json = ({ model }: Call<M>): Answer => ({
    body: { kind: 'text', type: 'application/json; charset=UTF-8', text: texts(model).json },
  });
  const page = ({ model }: Call<M>): Answer => ({
    body: { kind: 'text', type: 'text/html; charset=UTF-8', text: texts(model).page },
    headers: { 'Content-Security-Policy': pagePolicy },
  });
  const shared = { methods: ['GET'] as const, args: {}, permission: () => null, depends: () => options.depends };
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

/** Runs the steps until the current request has used up its turn; another request may continue. Throws `NeedsTurn`. */
function finished<T>(steps: Generator<void, T>, onPause: () => void): T {
  const attempts = presentAttempts();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (attempts?.isOver !== true) continue;
    onPause();
    throw new NeedsTurn('the description takes more than one turn');
  }
}
