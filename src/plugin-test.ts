/** The public entry `palimpsest/plugin-test`: what the tests of a plugin may rely on. */

export { type Given, given } from './plugin/given.ts';
export {
  startTestSite,
  type TestAnswer,
  type TestRole,
  type TestSite,
  type TestSiteOptions,
} from './plugin/test-site.ts';
