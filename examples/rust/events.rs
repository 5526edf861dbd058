use colstore_core::{ReadOptions, Table};

fn main() -> colstore_core::Result<()> {
    let events = Table::open("events.cstore")?;
    let x = events.column_index("x")?;
    let bytes = events.column_bytes(x, 0..3, &ReadOptions::default())?;
    for value in bytes.chunks_exact(8) {
        println!("{}", f64::from_le_bytes(value.try_into().unwrap()));
    }
    Ok(())
}
