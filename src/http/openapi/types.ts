/** The part of OpenAPI 3.1 that the description uses. */

/** JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Ref {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: Schema;
}

export interface MediaObject {
  readonly schema: Schema;
}

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly content?: Readonly<Record<string, MediaObject>>;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaObject>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Ref)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Ref>>;
  readonly security?: Document['security'];
}

export type PathItem = Readonly<Record<string, Operation>>;

export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly securitySchemes: Readonly<Record<string, Schema>>;
}

export interface Document {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

export function isRef(value: object): value is Ref {
  return '$ref' in value;
}
