import fc from 'fast-check';
import { factor } from './factor.ts';

// A property that fails ends with its counterexample before the limit of the test, even while it is still shrinking.
fc.configureGlobal({ interruptAfterTimeLimit: 90_000 * factor });
