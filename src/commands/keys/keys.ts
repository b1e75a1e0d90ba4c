import { requirePlan } from '../../config/settings/rate-plans.ts';
import type { KeyLabels } from '../../domain/access/api-key.ts';
import type { KeyChange } from '../../domain/access/key-change.ts';
import type { Allowance } from '../../domain/access/rate-limit.ts';
import { changeKey } from '../../node/keys/keys.ts';
import { command, type Argument, type Command, type Group } from '../form/command.ts';
import { create, rotate } from './create.ts';
import { keyIdArgument, parseExpiry, parseLabel, parseLimit, personFlag } from './key-flags.ts';
import { audit, list, show } from './read.ts';

/** The commands that change one property of one key. */
const changes: readonly Command[] = [
  change('revoke', 'revoke a key permanently', '', () => ({ type: 'revoke' })),
  change('disable', 'disable a key until it is enabled again', '', () => ({ type: 'disable' })),
  change('enable', 'enable a disabled key', '', () => ({ type: 'enable' })),
  change(
    'set-plan',
    'set the rate plan of a key',
    ' free',
    (plan) => ({ type: 'set-plan', plan: plan as string | undefined }),
    ['[PLAN]', 'a configured plan; if absent, the default plan'],
  ),
  change(
    'set-limit',
    'set a rate limit for a key that replaces its plan',
    ' "600/min burst 100"',
    (limit) => ({ type: 'set-limit', limit: limit as Allowance | undefined }),
    ['[LIMIT]', 'such as "60/min burst 20"; if absent, the limit of the plan', parseLimit],
  ),
  change(
    'set-labels',
    'replace all labels of a key',
    ' team=desk city=rosario',
    (labels = {}) => ({ type: 'set-labels', labels: labels as KeyLabels }),
    ['[NAME=VALUE...]', 'the labels; if absent, all labels are removed', parseLabel],
  ),
  change(
    'set-expiry',
    'set the expiry of a key',
    ' 2027-12-31',
    (expiresAt) => ({ type: 'set-end', expiresAt: expiresAt as number | undefined }),
    ['[DATE]', 'the last valid day, or an instant; if absent, the key never expires', parseExpiry],
  ),
];

/**
 * A command with the id of a key and at most one value. The change is made from the parsed value, or
 * from undefined if the value is absent.
 */
function change(
  name: string,
  summary: string,
  example: string,
  changeOf: (value: unknown) => KeyChange,
  value?: Argument,
): Command {
  return command({
    name,
    summary,
    args: { id: keyIdArgument, ...(value !== undefined && { value }) },
    flags: { as: personFlag, json: { text: 'print {"id","changed"} as JSON' } },
    settings: ['store'],
    examples: [`pizarra keys ${name} 4kQ9ZtB2xa${example}`],
    async run({ args, flags, configuration }) {
      const { id } = args;
      const { settings } = await configuration();
      const wanted = changeOf('value' in args ? args.value : undefined);
      if (wanted.type === 'set-plan' && wanted.plan !== undefined) {
        requirePlan(settings, wanted.plan);
      }
      const changed = await changeKey(settings.store, id, wanted, flags.as);
      const sentence = changed
        ? `Key ${id} changed: ${name}.`
        : `Key ${id} is unchanged: it already was as requested.`;
      return { sections: [sentence], json: { id, changed } };
    },
  });
}

export const keys: Group = {
  name: 'keys',
  summary: 'create, list, change, rotate and revoke API keys',
  commands: [create, list, show, rotate, ...changes, audit],
};
