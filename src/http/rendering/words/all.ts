import type { WordName } from '#text/brackets/word.ts';
import type { MakeWord } from '../types.ts';
import { audio } from './audio.ts';
import { gallery } from './gallery.ts';
import { playlist } from './playlist.ts';
import { video } from './video.ts';

/** Renders shortcodes, by their names; those not listed depend on their text alone. */
export const wordMakers: Partial<Readonly<Record<WordName, MakeWord>>> = { audio, gallery, playlist, video };
