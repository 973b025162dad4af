/** Texts of a thing by the names of their fields. */
export type Texts = Readonly<Record<string, string>>;

/** Looks up what things are called. */
export interface Titles {
  /** Kind and title of the thing that a stream is about. */
  title(stream: string): string;
  /** The stream of an entry or media item. */
  itemStream(id: number): string;
  /** Login of an actor, or words where there is none. */
  login(actor: number | null): string;
}

/** How an event type is told to people. */
export interface Telling<D> {
  /** Heading of the type, where types are listed. */
  readonly label: string;
  /** What somebody did, to be read after who did it. */
  readonly tell: (data: D, names: Titles) => string;
  /** The texts that the event carries, all of the thing's or some; types without it leave the texts as they are. */
  readonly texts?: (data: D) => Texts;
  /** The texts are beside those of the thing, which stay as they are. */
  readonly beside?: true;
}

/** Reads off those of some texts that an event carries. */
export function textsNamed<N extends string>(...names: readonly N[]) {
  return (data: { readonly [K in N]?: string }): Texts =>
    Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}

/** Settings with their values. */
export function pairs(details: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(details).filter(([, value]) => value !== undefined);
  return set.map(([name, value]) => `${inWords(name)} to ${value === '' ? 'none' : value}`).join(', ');
}

/** `featuredMedia` and `featured_media` as `featured media`. */
export function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
}
