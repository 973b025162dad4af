/** Who ordered an erasure, and why, where a test is about something else. */
export const someOrder = { by: 1, reason: 'an order' };

/** The same as options of a command on a site of tests. */
export const ordered = { yes: true, as: 'administrator', reason: someOrder.reason };
