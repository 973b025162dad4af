import type { Site } from '#domain/site/state.ts';
import type { ToolSwitches, Tools } from './area.ts';
import { type ToolsEvent, toolNames } from './events.ts';

/** Switches tools on and off; no events if nothing differs. */
export function switchTools({ switches }: Tools, wanted: Partial<ToolSwitches>): readonly ToolsEvent[] {
  const changed = toolNames.filter((name) => wanted[name] !== undefined && wanted[name] !== switches[name]);
  if (changed.length === 0) return [];
  const changes = Object.fromEntries(changed.map((name) => [name, wanted[name] === true]));
  return [{ type: 'ToolsSettingsChanged', data: { changes } }];
}

export function setCode(code: string): readonly ToolsEvent[] {
  return [{ type: 'BypassCodeRegenerated', data: { code } }];
}

/** Milliseconds in which a new code is not replaced again: a page that is loaded twice requests one twice. */
const settled = 60_000;

/** Replaces the code, unless it was replaced just before. `at`: UTC, ISO 8601. */
export function replaceCode({ codeAt }: Tools, code: string, at: string): readonly ToolsEvent[] {
  return codeAt !== '' && Date.parse(at) - Date.parse(codeAt) < settled ? [] : setCode(code);
}

/**
 * The site's address as its tools require: https if forced, otherwise the configured scheme; with or without `www.` if the site answers to
 * both.
 */
export function addressFor(
  { url, configuredUrl }: Pick<Site, 'url' | 'configuredUrl'>,
  { force_https: https, force_www: www }: Pick<ToolSwitches, 'force_https' | 'force_www'>,
  knowsBoth: boolean,
): string {
  const scheme = https ? 'https:' : new URL(configuredUrl).protocol;
  const secure = url.replace(/^https?:/, scheme);
  if (!knowsBoth) return secure;
  const bare = secure.replace(/^(https?:\/\/)www\./, '$1');
  return www ? bare.replace('://', '://www.') : bare;
}

/** Whether a site answers with and without `www.`: as its operator set (null: not set), otherwise if its host is a name. */
export function answersToBoth(url: string, said: boolean | null): boolean {
  return said ?? /\.[a-z][a-z\d-]*$/i.test(new URL(url).hostname);
}
