/**
 * The panel of an address without one, unless the person has chosen another, or it has no quotes. It is apart from
 * the list of panels, because the script in the page needs it alone.
 */
export const firstPanel = 'LID';
