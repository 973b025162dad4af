import { isPreviewToken, previewerOf, previewOf } from '#commands/previews.ts';
import { entryKinds } from '#domain/entry/kinds.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous, type Viewer, viewerOf } from '#domain/user/roles.ts';
import { revisions } from '#projections/entries/revisions.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Preview } from '../../engine/host.ts';
import type { InnerRequest } from '../../engine/types.ts';

const ENDED = refuse('rest_preview_ended', 'This preview has ended, or there never was one.');
const VIEW_ONLY = refuse('rest_forbidden_context', 'A preview shows what everybody will see: without context=edit.');

const NOTHING_ELSE = refuse('rest_invalid_param', 'A preview shows one thing: it goes without as_of and release.');
const ALONE = ['as_of', 'release'];

/** Parameter of reads that names a preview. */
const PREVIEW = 'preview';

interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Finds what a preview shows that a read names; null if it names none, or nothing of what the preview is about. */
export function previewsOn(model: () => Model, clock: () => number): (asked: Asked) => Preview | Refusal | null {
  return ({ path, query }) => {
    const token = query[PREVIEW];
    if (typeof token !== 'string' || !isPreviewToken(token)) return null;
    const { context = 'view' } = query;
    if (context !== 'view' && context !== 'embed') return VIEW_ONLY;
    if (ALONE.some((name) => query[name] !== undefined)) return NOTHING_ELSE;
    const now = clock();
    const item = itemAt(path, model());
    if (!token.startsWith('p')) {
      const viewer = item === 0 ? null : previewerOf(token, item, { model: model(), now });
      return item === 0 ? null : viewer === null ? ENDED : ofItem(path, item, { viewer, model: model() });
    }
    const shown = previewOf(token, model(), now);
    if (shown === null) return ENDED;
    if (shown.at !== '') return { viewer: anonymous, asOf: shown.at };
    const look = { viewer: anonymous, in: String(shown.release), isGranted: true } as const;
    if (shown.release !== 0) return { viewer: anonymous, look };
    const user = model().user(shown.by);
    return shown.item !== item || user === undefined
      ? null
      : ofItem(path, item, { viewer: viewerOf(user), model: model() });
  };
}

/** The entry that an address below the namespace is that of; 0: none. */
function itemAt(path: string, model: Model): number {
  const [, base, id = '0'] = /^\/[\w-]+\/v2\/([\w-]+)\/([1-9]\d{0,14})$/.exec(path) ?? [];
  const row = model.entry(Number(id));
  return row !== undefined && entryKinds.find(({ name }) => name === row.kind)?.base === base ? row.id : 0;
}

/** An item as somebody is writing it who may edit it. */
function ofItem(
  path: string,
  item: number,
  { viewer, model }: { readonly viewer: Viewer; readonly model: Model },
): Preview {
  const autosave = model.dated(revisions).autosave(item, viewer.id);
  const isNewer = autosave !== undefined && autosave.dateGmt > (model.entry(item)?.modifiedGmt ?? '');
  if (!isNewer) return { viewer };
  const { title, content, excerpt, footnotes } = model.revisionTexts(autosave);
  const body = { title, content, excerpt, meta: { footnotes } };
  const write: InnerRequest = { method: 'PATCH', path, query: {}, headers: new Map(), body };
  return { viewer, look: { viewer, also: [write], isGranted: true } };
}
