import type { Viewer } from '#domain/user/roles.ts';
import type { JsonText } from '#text/json.ts';
import { allowUnasked } from './allow.ts';
import { openCall, wantedBy } from './call.ts';
import { describeRoute } from './describe.ts';
import type { Input } from './input.ts';
import { show } from './present.ts';
import type { RunOutcome } from './run.ts';
import type { Runtime } from './runtime.ts';

/** The response to OPTIONS: the index's description of the route, and its schema; an empty list if no route matches. */
export function describeAt<M, S extends M>(
  { table, base }: Pick<Runtime<M, S>, 'table' | 'base'>,
  input: Input,
  { viewer, model }: { readonly viewer: Viewer; readonly model: M },
): { readonly outcome: RunOutcome; readonly route: string | null } {
  const wanted = wantedBy(input);
  const place = table.at(input.path, model);
  if (place === null) return { outcome: plain(show({ kind: 'json', value: [] }, wanted), null), route: null };
  const { route } = place.route;
  const { _links, ...description } = describeRoute(route, base());
  const schema = route.schema === undefined ? {} : { schema: route.schema(model) };
  const value = { ...description, ...schema, ...(_links === undefined ? {} : { _links }) };
  const allow = allowUnasked(place.route, () => openCall(input, place.path, { viewer, model, wanted }));
  return { outcome: plain(show({ kind: 'json', value }, wanted), allow), route: route.pattern };
}

function plain(shown: RunOutcome['shown'], allow: JsonText | null): RunOutcome {
  return { status: 200, headers: {}, allow, shown, version: undefined, refused: false, idle: true };
}
