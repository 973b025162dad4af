/** The network of an IP address: an IPv4 address itself, the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.toLowerCase().split('::', 2);
  const groups = partsOf(before);
  if (after !== undefined) {
    const rest = partsOf(after);
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

function partsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? [group, group] : group));
}
