import { type Arrow, type Imports, layOut, type RoomPlace } from './layout.ts';

const purposes: Readonly<Record<string, string>> = {
  catalogue: 'all events and areas',
  commands: 'the writer, sessions',
  config: 'settings',
  domain: 'events and decisions',
  eventstore: 'the log',
  http: 'interface and pages',
  media: 'uploaded files',
  node: 'an open store',
  objects: 'objects by key',
  ops: 'command line, server',
  outgoing: 'requests to others',
  plugin: 'packages of plugins',
  process: 'threads, lifetimes',
  projections: 'tables and indexes',
  proofs: 'events with proofs',
  site: 'what a site shows',
  text: 'functions on strings',
};

const width = 900;
const margin = 20;
const box = { width: 168, height: 50 };
const storey = 92;
const legend = 46;

const style = `
  text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #57606a }
  .name { font: 600 16px ui-monospace, monospace; fill: #1f2328 }
  .note { text-anchor: start }
  .ground { fill: #ffffff }
  .floor { stroke: #d8dee4; stroke-dasharray: 2 4 }
  .room { fill: #f6f8fa; stroke: #8c959f }
  .arrow { fill: none; stroke: #0a58ca; stroke-width: 2; marker-end: url(#tip) }
  .shortcut { fill: none; stroke: #8c959f; stroke-opacity: 0.55; marker-end: url(#end) }
  #tip path { fill: #0a58ca }
  #end path { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 }
    .name { fill: #f0f6fc }
    .ground { fill: #0d1117 }
    .floor { stroke: #3d444d }
    .room { fill: #151b23; stroke: #656c76 }
    .arrow { stroke: #6cb0ff }
    .shortcut { stroke: #656c76; stroke-opacity: 0.8 }
    #tip path { fill: #6cb0ff }
    #end path { fill: #656c76 }
  }
`;

/** Draws the rooms on floors as SVG: each stands above those that it imports. */
export function roomsPicture(imports: Imports): string {
  const { floors, places, arrows, shortcuts } = layOut(imports);
  const height = 2 * margin + (floors - 1) * storey + box.height + legend;
  const middle = ({ floor }: RoomPlace) => margin + box.height / 2 + (floors - 1 - floor) * storey;
  const across = ({ x }: RoomPlace) => Math.round(margin + x * (width - 2 * margin));
  const rooms = places.filter(({ room }) => room !== null).sort((a, b) => b.floor - a.floor || a.x - b.x);
  const line = (kind: string, { from, to, way }: Arrow, ends: Ends) =>
    `<path class="${kind}" d="${curve(
      way.map((place) => ({ x: across(place), y: middle(place) })),
      ends,
    )}">` + `<title>${from} imports ${to}</title></path>`;
  const lines = [
    ...floorLines(floors),
    ...shortcuts.map((one) => line('shortcut', one, endsOf(one, shortcuts, across))),
    ...arrows.map((one) => line('arrow', one, endsOf(one, arrows, across))),
    ...rooms.map((place) => drawn(place, across(place), middle(place))),
    ...notes(height - legend + 8),
  ];
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title">
<title id="title">The folders of src on floors: each stands above those that it imports</title>
<style>${style}</style>
<defs>
${arrowhead('tip', 'M0 0 8 4 0 8z')}
${arrowhead('end', 'M0 1 8 4 0 7z')}
</defs>
<rect class="ground" width="${width}" height="${height}"/>
${lines.join('\n')}
</svg>
`;
}

function arrowhead(id: string, path: string): string {
  const frame = 'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"';
  return `<marker id="${id}" ${frame} markerUnits="userSpaceOnUse" orient="auto"><path d="${path}"/></marker>`;
}

/** How far from the middle of a room a line leaves it and arrives. */
interface Ends {
  readonly start: number;
  readonly end: number;
}

/** Lines that share a room leave and enter it side by side, in the order of where they lead. */
function endsOf(one: Arrow, all: readonly Arrow[], across: (place: RoomPlace) => number): Ends {
  const [first, last] = [one.way[0], one.way.at(-1)];
  const sharing = (mine: (arrow: Arrow) => RoomPlace | undefined, other: (arrow: Arrow) => RoomPlace | undefined) => {
    const group = all.filter((arrow) => mine(arrow) === mine(one));
    const order = group.map((arrow) => ({ arrow, x: across(other(arrow) as RoomPlace) })).sort((a, b) => a.x - b.x);
    const step = Math.min(20, (box.width - 24) / group.length);
    return Math.round((order.findIndex(({ arrow }) => arrow === one) - (group.length - 1) / 2) * step);
  };
  if (first === undefined || last === undefined) return { start: 0, end: 0 };
  return {
    start: sharing(
      ({ way }) => way[0],
      ({ way }) => way[1],
    ),
    end: sharing(
      ({ way }) => way.at(-1),
      ({ way }) => way.at(-2),
    ),
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function curve(points: readonly Point[], { start, end }: Ends): string {
  const last = points.length - 1;
  const placed = points.map(({ x, y }, i) => {
    if (i === 0) return { x: x + start, y: y + box.height / 2 };
    return i === last ? { x: x + end, y: y - box.height / 2 } : { x, y };
  });
  const [{ x, y } = { x: 0, y: 0 }, ...rest] = placed;
  let from = { x, y };
  const parts = rest.map((to) => {
    const bend = Math.round((to.y - from.y) / 2);
    const part = `C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`;
    from = to;
    return part;
  });
  return `M${x} ${y}${parts.join('')}`;
}

function drawn({ room }: RoomPlace, x: number, y: number): string {
  const name = room ?? '';
  const frame = `x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}"`;
  const label = `<text class="name" x="${x}" y="${y - 3}">${name}</text>`;
  return `<rect class="room" ${frame} rx="6"/>${label}<text x="${x}" y="${y + 16}">${purposes[name] ?? ''}</text>`;
}

function floorLines(floors: number): string[] {
  return Array.from({ length: floors - 1 }, (_, i) => {
    const y = margin + box.height + i * storey + (storey - box.height) / 2;
    return `<path class="floor" d="M0 ${y}H${width}"/>`;
  });
}

function notes(y: number): string[] {
  const note = (kind: string, x: number, text: string) =>
    `<path class="${kind}" d="M${x} ${y}h40"/><text class="note" x="${x + 50}" y="${y + 4}">${text}</text>`;
  return [
    note('arrow', margin, 'imports'),
    note('shortcut', margin + 130, 'direct imports of rooms that blue arrows reach as well'),
  ];
}
