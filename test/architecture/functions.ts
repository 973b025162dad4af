import ts from 'typescript';

export interface MeasuredFunction {
  /** The name of the function, or of what it is assigned to; '' without either. */
  readonly name: string;
  /** Lines from the first one of the declaration to the closing brace. */
  readonly lines: number;
}

/** All functions in a TypeScript file, nested ones included. */
export function functionsIn(text: string): MeasuredFunction[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const found: MeasuredFunction[] = [];
  const lineAt = (place: number) => file.getLineAndCharacterOfPosition(place).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart(file)) + 1;
      found.push({ name: nameOf(node, file), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function nameOf(node: ts.SignatureDeclaration, file: ts.SourceFile): string {
  const {
    name = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) ? node.parent.name : undefined,
  } = node;
  return name?.getText(file) ?? '';
}

/** Names that a TypeScript file exports itself. */
export function exportsIn(text: string): string[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText(file));
    }
    const { name } = statement as ts.Statement & { readonly name?: ts.Node };
    return name === undefined ? [] : [name.getText(file)];
  });
}
