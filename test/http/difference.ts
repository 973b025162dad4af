/** What holds for a resource instead of a usual rule, and the section of the interface behaviour that says so. */
export interface Difference<V> {
  readonly is: V;
  readonly section: number;
}
