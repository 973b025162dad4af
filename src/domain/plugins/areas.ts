import type { Area } from './area.ts';
import { extensions } from './extensions/area.ts';

/** Every area there is: one line each. Their events are part of the catalogue, their documents are projected. */
export const areas: readonly Area[] = [extensions];
