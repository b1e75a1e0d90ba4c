import { errorAnswer } from '../../wire/texts/error-texts.ts';
import { errorToAnswer } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import type { Visit } from '../exchange/visit.ts';
import type { Rendition } from './body.ts';
import { choose } from './content.ts';
import type { Content } from './content.ts';
import { readWishes } from './wishes.ts';

/**
 * The request fields that the representation of a content depends on. The key is not among them: RFC
 * 9110 12.5.5 leaves it out, because a response to one client is never reused for another.
 */
const contentVary = 'Accept, Accept-Encoding';

const unacceptable = { ...errorToAnswer(errorAnswer('coding-unacceptable')), vary: contentVary };

/** Answers with a content: whole, or as 304 if the client has stored it (RFC 9110 15.4.5). */
export function contentAnswer(content: Content, { request, now }: Visit): Answer | Promise<Answer> {
  const choice = choose(content, readWishes(request, now), now);
  switch (choice.is) {
    case 'whole':
      return wholeAnswer(choice.rendition, content);
    case 'unchanged':
      return { status: 304, fields: [choice.tag, content.fields], body: [], vary: contentVary };
    case 'to-make':
      return content.body.make(choice.coding).then((rendition) => wholeAnswer(rendition, content));
    case 'unacceptable':
      return unacceptable;
  }
}

function wholeAnswer({ fields, parts }: Rendition, content: Content): Answer {
  return { status: 200, fields: [fields, content.fields], body: parts, vary: contentVary };
}
