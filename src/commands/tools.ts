import { randomInt } from 'node:crypto';
import { moveSite, siteStream } from '#domain/site/state.ts';
import { type ToolSwitches, tools } from '#domain/tools/area.ts';
import { addressFor, switchTools } from '#domain/tools/decide.ts';
import { stageIn } from './plugins.ts';
import type { Session } from './session.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 16;

/**
 * Switches tools on and off. Changing a switch for the address also changes the address of the site. `answersToBoth`: whether the site
 * can be reached with and without `www.`.
 */
export function changeTools(
  session: Session,
  wanted: Partial<ToolSwitches>,
  { answersToBoth }: { readonly answersToBoth: boolean },
): void {
  stageIn(session, tools, switchTools(session.plugin(tools), wanted));
  if (wanted.force_https === undefined && wanted.force_www === undefined) return;
  const site = session.site();
  const knowsBoth = answersToBoth && wanted.force_www !== undefined;
  session.stage(siteStream, moveSite(site, addressFor(site, session.plugin(tools).switches, knowsBoth)));
}

export function makeBypassCode(): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}
