import type { WriteContext } from '#commands/session.ts';

/** The context of writes that a node makes by itself. */
export const bySystem: WriteContext = { viewer: null, correlationId: 'start' };
