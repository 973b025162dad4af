export type TypeName = 'array' | 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/**
 * One parameter or property as the index describes it: the subset of JSON Schema draft 4 that the interface uses, with `required`
 * at the property, as in draft 3. Validation and coercion use the same object that clients see.
 */
export interface Descriptor {
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Descriptor;
  readonly properties?: Readonly<Record<string, Descriptor>>;
  readonly additionalProperties?: boolean | Descriptor;
  readonly oneOf?: readonly Descriptor[];
  /** Keys from `.meta()` that validation ignores: `readonly`, `context` … */
  readonly [extra: string]: unknown;
}
