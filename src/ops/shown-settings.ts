import { settings } from '../config.ts';

const HIDDEN = '(hidden)';

/** The settings of an environment, with defaults, for display: secrets are omitted. */
export function shownSettings(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const values = Object.entries(settings.shape).flatMap(([name, { def }]) => {
    const preset = 'defaultValue' in def ? String(def.defaultValue) : '';
    const value = env[name] || preset;
    return value === '' ? [] : [[name, withoutSecret(name, value)] as const];
  });
  return Object.fromEntries(values);
}

function withoutSecret(name: string, value: string): string {
  if (/_(SECRET|KEY)$/.test(name)) return HIDDEN;
  return name === 'EVENTSTORE_URL' ? value.replace(/\/\/[^@/]*@/, `//${HIDDEN}@`) : value;
}
