import fc from 'fast-check';
import { slowness } from '../support/slowness.ts';
import { factor } from './factor.ts';

// A failing property reports its counterexample before the test times out, even while it is still shrinking.
fc.configureGlobal({ interruptAfterTimeLimit: 90_000 * slowness * Math.max(1, factor) });
