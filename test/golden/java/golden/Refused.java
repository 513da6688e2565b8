// A rejected query, with the engine's message.
package golden;

final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Refused(String reason) {
    super(reason);
  }
}
