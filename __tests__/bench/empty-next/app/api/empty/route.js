export const dynamic = "force-dynamic";

const answer = () => Response.json({ success: true });

export { answer as GET, answer as POST };
