const DATE_TIME =
  /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])[Tt ](?:[01]\d|2[0-4]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$/;

/**
 * Whether a text is a date and time that the interface accepts: month 00–12, day 00–31, hour 00–24, second 00–60. Dates that do not
 * exist (30 February, month 00) are accepted and roll over.
 */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text);
}
