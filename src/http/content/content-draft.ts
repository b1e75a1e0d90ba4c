import { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, type ResponseDraft } from '../handler/response-draft.ts';
import type { Visit } from '../handler/visit.ts';
import type { Representation } from './body.ts';
import { choose, type Content } from './content.ts';
import { readPreferences } from './preferences.ts';

/**
 * The request fields that the representation of a content depends on. The key is not among them: RFC
 * 9110 12.5.5 leaves it out, because a response to one client is never reused for another.
 */
const contentVary = 'Accept, Accept-Encoding';

const unacceptable = { ...draftOf(errorResponse('coding-unacceptable')), vary: contentVary };

/** Answers with a content: whole, or as 304 if the client has stored it (RFC 9110 15.4.5). */
export function contentDraft(
  content: Content,
  { request, now }: Visit,
): ResponseDraft | Promise<ResponseDraft> {
  const choice = choose(content, readPreferences(request, now), now);
  switch (choice.is) {
    case 'whole':
      return wholeDraft(choice.representation, content);
    case 'unchanged':
      return { status: 304, fields: [choice.tag, content.fields], body: [], vary: contentVary };
    case 'to-make':
      return content.body
        .make(choice.coding)
        .then((representation) => wholeDraft(representation, content));
    case 'unacceptable':
      return unacceptable;
  }
}

function wholeDraft({ fields, parts }: Representation, content: Content): ResponseDraft {
  return { status: 200, fields: [fields, content.fields], body: parts, vary: contentVary };
}
