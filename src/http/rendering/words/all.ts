import type { WordName } from '#text/brackets/word.ts';
import type { MakeWord } from '../types.ts';
import { audio } from './audio.ts';
import { gallery } from './gallery.ts';
import { playlist } from './playlist.ts';
import { video } from './video.ts';

/** What makes words in brackets, by their names; the others follow from the text. */
export const wordMakers: Partial<Readonly<Record<WordName, MakeWord>>> = { audio, gallery, playlist, video };
