import { html } from 'palimpsest/plugin';

export type Arguments = Readonly<Record<string, unknown>>;

export function argument(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether an option is on; `false` and `0` switch it off. */
export function isOn(args: Arguments, name: string): boolean {
  const value = argument(args, name);
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

/** The text as a link if one is wanted, else alone. */
export function linked(text: string, address: string, args: Arguments): string {
  if (!isOn(args, 'with_link') || address === '') return html`${text}`.markup;
  const target = isOn(args, 'new_tab') ? html` target="_blank" rel="noreferrer noopener"` : null;
  return html`<a href="${address}"${target}>${text}</a>`.markup;
}
