import { isRefusal, type PluginArg, type Refusal, refuse, type z } from 'palimpsest/plugin';

type Params = Readonly<Record<string, unknown>>;

/** Maximum characters of a field. */
const longest = 1000;

/** Required texts by name; refused with an error for each that is missing or invalid. */
export function sentTextsIn<N extends string>(
  params: Params,
  names: readonly N[],
): Readonly<Record<N, string>> | Refusal {
  const errors: Record<string, string> = {};
  const texts: Record<string, string> = {};
  for (const name of names) {
    const value = params[name];
    if (typeof value !== 'string' || value === '') errors[name] = `${name} is required and has to be a text.`;
    else if (value.length > longest) errors[name] = `${name} is longer than ${longest} characters.`;
    else texts[name] = value;
  }
  return Object.keys(errors).length > 0 ? wrongData(errors) : (texts as Record<N, string>);
}

export function sentTextIn(params: Params, name: string): string | Refusal {
  const texts = sentTextsIn(params, [name]);
  return isRefusal(texts) ? texts : (texts[name] ?? '');
}

/** Refuses a request with an error per field. */
export function wrongData(errors: Readonly<Record<string, string>>): Refusal {
  return refuse('data_invalid', 'The data that was sent is not valid.', { errors });
}

/** A parameter that only the route checks and only the documentation lists. */
export function unchecked(schema: z.ZodType): PluginArg {
  return { schema, hidden: true, unchecked: true };
}
