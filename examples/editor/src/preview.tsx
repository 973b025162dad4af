export function Preview() {
  return <p>…</p>;
}
