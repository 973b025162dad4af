export { createClient } from './client.ts';
export { CmsError, StaleError } from './errors.ts';
export type * from './types.ts';
