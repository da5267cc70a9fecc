const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** For text and for attributes in quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Text with its addresses as links. A full stop or bracket at the end belongs to the sentence. */
export function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : link(part)))
    .join("");
}

function link(address: string): string {
  return `<a href="${escaped(address)}" target="_blank" rel="noopener noreferrer">${escaped(address)}</a>`;
}
