import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { pagingHeaders } from '../../engine/paging.ts';
import type { Call } from '../../engine/types.ts';

export interface RevisionsPlace {
  /** Null: all items are one page, whatever the offset. */
  readonly perPage: number | null;
  readonly page: number;
  /** The offset as sent; 0 for none. */
  readonly given: number;
  readonly offset: number;
  readonly limit: number;
}

export function placeOf<M>({ params, sent }: Call<M>, count: number): RevisionsPlace {
  const given = sent('offset') === undefined ? 0 : Number(params['offset']);
  const page = Number(params['page']);
  const perPage = params['per_page'];
  if (typeof perPage !== 'number') return { perPage: null, page, given, offset: 0, limit: count };
  const offset = sent('offset') === undefined ? (page - 1) * perPage : Math.abs(given);
  return { perPage, page, given, offset, limit: perPage };
}

export interface Listed {
  readonly total: number;
  readonly url: string;
  readonly prefix: string;
}

/** Headers of the page; a refusal if it lies beyond the end. */
export function placeHeaders<M>(
  call: Call<M>,
  { perPage, page, given }: RevisionsPlace,
  { total, url, prefix }: Listed,
): Record<string, string> | Refusal {
  const pages = perPage === null ? Math.min(1, total) : Math.ceil(total / perPage);
  if (total > 0 && given >= total) {
    return refuse(
      'rest_revision_invalid_offset_number',
      'The offset number requested is larger than or equal to the number of available revisions.',
    );
  }
  if (total > 0 && given === 0 && page > pages) {
    return refuse(
      'rest_revision_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    );
  }
  return pagingHeaders(call, { url, page, total, pages, prefix });
}
