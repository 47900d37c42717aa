import java.math.BigDecimal;
import java.sql.*;
import java.time.*;

/** Binds values of Java's types to questions. Prints for each its name, the question that askpg read, and the answer. */
public class Values {
    static Connection conn;

    public static void main(String[] args) throws Exception {
        conn = DriverManager.getConnection(args[0]);
        String orders = "ASK how many orders were placed after ?", products = "ASK how many products have a price above ?", customers = "ASK how many customers are in region ?";
        ask("date", orders, Date.valueOf("2024-06-01"));
        ask("date", orders, LocalDate.of(2024, 6, 1));
        ask("midnight", orders, Timestamp.valueOf("2024-06-01 00:00:00"));
        ask("moment", orders, LocalDateTime.of(2024, 6, 1, 13, 45));
        ask("date", "ASK how many orders were placed after {d '2024-06-01'}");
        ask("moment", "ASK how many orders were placed after {ts '2024-06-01 13:45:00'}");
        for (int i = 0; i < 7; i++) { // beyond the driver's prepareThreshold; there it describes a statement with a Timestamp before it binds
            ask("moment", orders, LocalDateTime.of(2024, 6, 1, 13, 45));
            if (args[0].contains("prepareThreshold=0")) ask("midnight", orders, Timestamp.valueOf("2024-06-01 00:00:00"));
        }
        ask("moment elsewhere", orders, OffsetDateTime.of(2024, 6, 1, 13, 45, 30, 0, ZoneOffset.ofHours(2)));
        ask("integer", products, 100);
        ask("integer", products, 100L);
        ask("power", products, new BigDecimal("1E+2"));
        ask("decimal", products, 99.5);
        ask("text", customers, "North");
        ask("number as text", customers, "41");
        ask("list", customers, conn.createArrayOf("text", new String[] {"North", "South"}));
        ask("list", "ASK how many customers are in region (?, ?)", "North", "South");
        ask("bool", "ASK how many orders are ?", true);
        ask("nowhere", customers, "Atlantis");
    }

    static void ask(String name, String text, Object... values) throws SQLException {
        String answer;
        try (PreparedStatement ps = conn.prepareStatement(text)) {
            for (int i = 0; i < values.length; i++) ps.setObject(i + 1, values[i]);
            ResultSet rs = ps.executeQuery();
            rs.next();
            answer = rs.getString(1);
        } catch (SQLException e) {
            answer = e.getMessage().replace("\n", " ");
        }
        try (Statement st = conn.createStatement(); ResultSet rs = st.executeQuery("SHOW askpg.last")) {
            System.out.println(name + " | " + (rs.next() ? rs.getString(2) : "") + " | " + answer);
        }
    }
}
