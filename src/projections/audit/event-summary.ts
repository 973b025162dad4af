export type SummaryTexts = Readonly<Record<string, string>>;

export interface Titles {
  title(stream: string): string;
  itemStream(id: number): string;
  login(actor: number | null): string;
}

export interface EventSummary<D> {
  readonly label: string;
  readonly tell: (data: D, names: Titles) => string;
  /** The texts in the event, all of the item's or some; event types without it do not change texts. */
  readonly texts?: (data: D) => SummaryTexts;
  readonly beside?: true;
}

export function textsNamed<N extends string>(...names: readonly N[]) {
  return (data: { readonly [K in N]?: string }): SummaryTexts =>
    Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}

export function pairs(details: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(details).filter(([, value]) => value !== undefined);
  return set.map(([name, value]) => `${inWords(name)} to ${value === '' ? 'none' : value}`).join(', ');
}

/** `featuredMedia` and `featured_media` as `featured media`. */
export function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
}
