import fc from 'fast-check';
import { factor } from './factor.ts';

// A failing property reports its counterexample before the test times out, even while it is still shrinking.
fc.configureGlobal({ interruptAfterTimeLimit: 90_000 * factor });
