export function GET() {
  return Response.json({ success: true });
}
