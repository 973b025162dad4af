import type { EntryRow } from '#projections/entries/row.ts';
import { DYNAMIC } from '#text/dynamic.ts';
import { resultOf } from '#text/suspended.ts';
import { postOf } from './posts.ts';
import type { Rendering } from './types.ts';

export function contentOf(row: EntryRow, rendering: Rendering): string {
  return row.contentJson === DYNAMIC ? rendering.content(postOf(row, rendering.model)) : textIn(row.contentJson);
}

export function excerptOf(row: EntryRow, rendering: Rendering): string {
  return row.excerptJson === DYNAMIC ? rendering.excerpt(postOf(row, rendering.model)) : textIn(row.excerptJson);
}

export function textIn(json: string): string {
  return resultOf('fromJson', json || '""');
}
