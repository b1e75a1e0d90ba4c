/** A node of the syntax tree, with the fields that the operators read. */
export interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly operator?: string;
  readonly left?: SourceNode;
  readonly right?: SourceNode;
  readonly test?: SourceNode | null;
  readonly consequent?: SourceNode;
  readonly alternate?: SourceNode;
  readonly body?: SourceNode | readonly SourceNode[];
  readonly argument?: SourceNode | null;
  readonly expression?: SourceNode | boolean;
  readonly callee?: SourceNode;
  readonly object?: SourceNode;
  readonly property?: SourceNode;
  readonly key?: SourceNode;
  readonly id?: SourceNode;
  readonly name?: string;
  readonly value?: unknown;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly directive?: string | null;
  readonly elements?: readonly unknown[];
  readonly properties?: readonly unknown[];
  readonly prefix?: boolean;
}

interface Mutation {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

type Operator = (
  node: SourceNode,
  ancestors: readonly SourceNode[],
  source: string,
) => readonly Mutation[];

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

const negations: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

const arithmetic: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '++': '--',
  '--': '++',
};

/** The mutations of one node without its children. Empty for code that is exempt. */
export function mutationsOf(
  node: SourceNode,
  ancestors: readonly SourceNode[],
  source: string,
): readonly Mutation[] {
  if ([...ancestors, node].some(isExempt)) return [];
  return operators[node.type]?.(node, ancestors, source) ?? [];
}

const operators: Readonly<Record<string, Operator>> = {
  BinaryExpression(node, _ancestors, source) {
    const { operator = '', left, right } = node;
    const isText = [left, right].some((side) => side !== undefined && isTextNode(side));
    const swapped = isText ? undefined : arithmetic[operator];
    return [
      ...swapOperator('boundary', node, boundaries[operator], source),
      ...swapOperator('negation', node, negations[operator], source),
      ...swapOperator('arithmetic', node, swapped, source),
    ];
  },
  AssignmentExpression(node, _ancestors, source) {
    return swapOperator('arithmetic', node, arithmetic[node.operator ?? ''], source);
  },
  UpdateExpression({ start, end, operator = '', prefix }) {
    const replacement = arithmetic[operator] ?? operator;
    const at = prefix === true ? start : end - operator.length;
    return [{ operator: 'arithmetic', start: at, end: at + operator.length, replacement }];
  },
  LogicalExpression({ start, end, left, right }, _ancestors, source) {
    return [left, right].flatMap((side) =>
      side === undefined
        ? []
        : [
            {
              operator: 'logical side',
              start,
              end,
              replacement: source.slice(side.start, side.end),
            },
          ],
    );
  },
  IfStatement: mutateTest,
  ConditionalExpression: mutateTest,
  WhileStatement: mutateTest,
  UnaryExpression({ start, end, operator, argument }, _ancestors, source) {
    if (operator !== '!' && operator !== '-') return [];
    if (argument === null || argument === undefined) return [];
    const replacement = source.slice(argument.start, argument.end);
    return [{ operator: 'negation', start, end, replacement: ` ${replacement}` }];
  },
  Literal: mutateLiteral,
  TemplateLiteral({ start, end }) {
    return [{ operator: 'text', start, end, replacement: '``' }];
  },
  ArrayExpression({ start, end, elements = [] }) {
    return elements.length === 0 ? [] : [{ operator: 'empty', start, end, replacement: '[]' }];
  },
  ObjectExpression({ start, end, properties = [] }) {
    return properties.length === 0 ? [] : [{ operator: 'empty', start, end, replacement: '({})' }];
  },
  MemberExpression({ optional, object, property, computed }) {
    if (optional !== true || object === undefined || property === undefined) return [];
    const replacement = computed === true ? '' : '.';
    return [{ operator: 'optional', start: object.end, end: object.end + 2, replacement }];
  },
  CallExpression({ optional, callee }) {
    if (optional !== true || callee === undefined) return [];
    return [{ operator: 'optional', start: callee.end, end: callee.end + 2, replacement: '' }];
  },
  ExpressionStatement: removeStatement,
  ContinueStatement: removeStatement,
  BreakStatement: removeStatement,
  ThrowStatement: removeStatement,
  ReturnStatement(node, ancestors) {
    // The last statement of a function is not removed, because the type checker would find that.
    const [outer, parent] = ancestors.slice(-2);
    const isLast =
      outer?.type.includes('Function') === true &&
      Array.isArray(parent?.body) &&
      parent.body.at(-1) === node;
    return isLast ? [] : removeStatement(node);
  },
};

function mutateTest({ type, test, consequent }: SourceNode): readonly Mutation[] {
  if (test === null || test === undefined) return [];
  const { start, end } = test;
  const outcomes = [
    ...(type === 'WhileStatement' ? [] : ['true']),
    ...(consequent !== undefined && isAssertion(consequent) ? [] : ['false']),
  ];
  return outcomes
    .filter((outcome) => test.value !== (outcome === 'true'))
    .map((replacement) => ({ operator: 'condition', start, end, replacement }));
}

function mutateLiteral(
  { start, end, value }: SourceNode,
  ancestors: readonly SourceNode[],
): readonly Mutation[] {
  if (typeof value === 'boolean') {
    return [{ operator: 'boolean', start, end, replacement: String(!value) }];
  }
  if (typeof value === 'number') {
    if (isNamedLimit(ancestors)) return [];
    // Counts are never negative, so a comparison with -1 would be a condition that is always false.
    const others = value === 0 ? [1] : [value + 1, value - 1];
    // Sorting asks only whether a result is negative, so 0 gives the same order as 1.
    const isNegated = ancestors.at(-1)?.type === 'UnaryExpression';
    if (isSignOfOrder(ancestors) && !isNegated) return [];
    if (isSignOfOrder(ancestors) || isLimitOfSplit(start, ancestors)) others.shift();
    return others.map((other) => ({
      operator: 'number',
      start,
      end,
      replacement: other < 0 ? `(${other})` : String(other),
    }));
  }
  if (typeof value === 'string') {
    return [{ operator: 'text', start, end, replacement: value === '' ? "'mutated'" : "''" }];
  }
  return [];
}

/** Whether a statement throws a plain `Error`. Tests cannot cause the condition that it guards against. */
function isAssertion({ type, argument, body }: SourceNode): boolean {
  if (type === 'BlockStatement') {
    return Array.isArray(body) && body.length === 1 && body.every(isAssertion);
  }
  return (
    type === 'ThrowStatement' &&
    argument?.type === 'NewExpression' &&
    argument.callee?.name === 'Error'
  );
}

function removeStatement(node: SourceNode): readonly Mutation[] {
  if (isAssertion(node)) return [];
  return removalOf(node);
}

function removalOf({ start, end, type, expression, directive }: SourceNode): readonly Mutation[] {
  if (typeof directive === 'string') return [];
  const isSuper =
    typeof expression === 'object' &&
    type === 'ExpressionStatement' &&
    expression.callee?.type === 'Super';
  return isSuper ? [] : [{ operator: 'removal', start, end, replacement: ';' }];
}

function swapOperator(
  name: string,
  { operator = '', left, right }: SourceNode,
  replacement: string | undefined,
  source: string,
): readonly Mutation[] {
  if (replacement === undefined || left === undefined || right === undefined) return [];
  const start = source.indexOf(operator, left.end);
  return [{ operator: name, start, end: start + operator.length, replacement }];
}

/**
 * Whether a node is not mutated: imports, names of keys, log calls, the messages of assertions (a plain
 * `Error` or `TypeError` reports a defect of this program, and no code reads its message), and fallbacks that
 * only the type checker needs.
 */
function isExempt(node: SourceNode, index: number, path: readonly SourceNode[]): boolean {
  const next = path[index + 1];
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return true;
    case 'Property':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return next !== undefined && next === node.key && !(node.computed ?? false);
    case 'NewExpression':
      return (
        ['Error', 'TypeError', 'RangeError'].includes(node.callee?.name ?? '') && next !== undefined
      );
    case 'ExpressionStatement':
      return typeof node.expression === 'object' && isLogCall(node.expression);
    case 'CallExpression':
      return isLogCall(node);
    case 'LogicalExpression':
      return isFallback(node) && (next === undefined || next === node.right);
    case 'ArrayPattern':
      return next?.type === 'AssignmentPattern';
    default:
      return false;
  }
}

/** `match[1] ?? ''`: the type checker needs the fallback, although the element always exists. */
function isFallback({ operator, left, right }: SourceNode): boolean {
  const place = left?.type === 'ChainExpression' ? left.expression : left;
  return (
    operator === '??' &&
    right?.type === 'Literal' &&
    typeof place === 'object' &&
    place.computed === true &&
    typeof place.property?.value === 'number'
  );
}

function isLogCall({ type, callee }: SourceNode): boolean {
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
  const { object } = callee;
  const name = object?.name ?? object?.property?.name ?? '';
  return name === 'log';
}

const limitName = /(?:Ms|Max|Min|Bytes|Mb|Days|Size|Count)$/;

/**
 * Whether a number is the value of a named limit (`quietMsMin = 60_000`, also within a product). A test for
 * the value could only repeat it.
 */
function isNamedLimit(ancestors: readonly SourceNode[]): boolean {
  const owner = ancestors.findLast(
    ({ type }) => type !== 'BinaryExpression' && type !== 'ParenthesizedExpression',
  );
  const isInFunction = ancestors.some(({ type }) => type.includes('Function'));
  const name = (owner?.id ?? owner?.key)?.name ?? '';
  return !isInFunction && limitName.test(name);
}

/** The result of a comparison function, `a < b ? -1 : 1`. Sorting only uses the sign. */
function isSignOfOrder(ancestors: readonly SourceNode[]): boolean {
  const choice = ancestors.findLast(({ type }) => type !== 'UnaryExpression');
  return (
    choice?.type === 'ConditionalExpression' &&
    [choice.consequent, choice.alternate].every(
      (side) => (side?.type === 'UnaryExpression' ? side.argument : side)?.value === 1,
    )
  );
}

/** `text.split('\n', 1)[0]`: the limit only saves time. A higher one gives the same first part. */
function isLimitOfSplit(start: number, ancestors: readonly SourceNode[]): boolean {
  const [member, call] = ancestors.slice(-2);
  return (
    call?.type === 'CallExpression' &&
    call.callee?.property?.name === 'split' &&
    call.callee.end < start &&
    member?.type === 'MemberExpression' &&
    member.property?.value === 0
  );
}

function isTextNode({ type, value, left, right }: SourceNode): boolean {
  if (type === 'TemplateLiteral') return true;
  if (type === 'Literal') return typeof value === 'string';
  return [left, right].some((side) => side !== undefined && isTextNode(side));
}
